const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** The code samples of an operation on a page below `/docs/`, by caption. */
export function samplesIn(page: string, operationId: string): Map<string, string> {
  const [, section = ''] = page.split(`<section aria-labelledby="${operationId}">`);
  const figures = (section.split('</section>')[0] ?? '').matchAll(
    /<figcaption>(\w+)<\/figcaption>\s*<pre tabindex="0"><code>([^<]*)<\/code>/g,
  );
  const textOf = (html: string): string => html.replaceAll(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);
  return new Map([...figures].map(([, caption = '', html = '']) => [caption, textOf(html)]));
}
