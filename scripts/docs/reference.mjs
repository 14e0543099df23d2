// The reference of an interface: each operation of its OpenAPI document, with samples.
import { codeBlock, scrolling } from './markdown.mjs';
import { html } from './page.mjs';

/** Values of the path placeholders in the samples. */
const VALUES = { import_supplier: 'ACME', external_account_number: '1001', code: 'ACME' };

const TOKEN_WITH_CURL = `BASE_URL=https://import.example.com   # ask the operator
curl -fs "$BASE_URL/v1/graphql/" -H 'Content-Type: application/json' -d @- <<END
{"query": "mutation Obtain($input: ObtainServiceTokenInput!) { obtainServiceToken(input: $input) { token } }",
 "variables": {"input": {"apiKey": "$DATA_IMPORT_API_KEY"}}}
END
TOKEN=…   # data.obtainServiceToken.token of the answer`.replaceAll('$input', '\\$input');

const constructed = (name, module) => `import { ${name} } from '${module}';

const client = new ${name}({
  baseUrl: process.env.DATA_IMPORT_BASE_URL,
  apiKey: process.env.DATA_IMPORT_API_KEY,
});`;

/** Construction of the client, by the first segment of the paths; and the calls not named after their operation. */
const CLIENTS = {
  'data-import': constructed('DataImportClient', '@data-import/client'),
  platform: constructed('PlatformClient', '@data-import/client/platform'),
};
const CALLS = {
  listImportSuppliers: 'console.log(await client.suppliers());',
  listChanges: `for await (const { change, cursor } of client.changes({ supplier: 'ACME' })) {
  console.log(change.type, cursor);
}`,
};

/**
 * @param document an OpenAPI document
 * @param markdown renders its descriptions
 * @returns `body` and `headings` of the page
 */
export function referenceOf(document, markdown) {
  const { info, paths, tags, components } = document;
  const introduction = markdown.page(info.description);
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
  const reader = new Reader(components, markdown);
  const groups = tags.map(({ name, description }) => ({
    heading: { id: name.replaceAll(' ', '-'), text: capitalised(name), depth: 2 },
    description,
    operations: operations.filter((operation) => operation.tags.includes(name)),
  }));
  const body = groups.map(
    ({ heading, description, operations }) =>
      html`<h2 id="${heading.id}">${heading.text}</h2>
        <p>${description}</p>
        ${operations.map((operation) => sectionOf(operation, reader, markdown))}`,
  );
  const [, , segment] = operations[0].path.split('/');
  const beginning = { depth: 2, id: 'samples', text: 'How the samples begin' };
  const schemas = reader.sections();
  return {
    body: html`${introduction.body}
      <h2 id="${beginning.id}">${beginning.text}</h2>
      ${samplesOf(TOKEN_WITH_CURL, CLIENTS[segment])} ${body} ${schemas.map(({ html: section }) => section)}`,
    headings: [
      ...introduction.headings,
      beginning,
      ...groups.flatMap(({ heading, operations }) => [
        heading,
        ...operations.map(({ operationId, summary }) => ({ id: operationId, text: summary, depth: 3 })),
      ]),
      ...schemas.map(({ heading }) => heading),
    ],
  };
}

function sectionOf(operation, reader, markdown) {
  const {
    operationId,
    method,
    path,
    summary,
    description,
    parameters = [],
    requestBody,
    responses,
  } = operation;
  const [status, success] = Object.entries(responses).find(([code]) => code.startsWith('2'));
  const answer = success.content['application/json'];
  const body = requestBody?.content['application/json'];
  const errors = Object.entries(responses).filter(([code]) => !code.startsWith('2'));
  return html`<section aria-labelledby="${operationId}">
    <h3 id="${operationId}"><a href="#${operationId}">${summary}</a></h3>
    <p class="route"><code>${method} ${path}</code></p>
    ${markdown.block(description)}
    ${samplesOf(curlOf(operation, body?.example), clientOf(operation, body?.example, answer.schema))}
    <h4>Parameters</h4>
    ${reader.parameters(parameters)}
    ${
      body &&
      html`<h4>Body</h4>
        ${reader.fields(body.schema)}`
    }
    <h4>Answer ${status}</h4>
    ${markdown.block(success.description)} ${reader.fields(answer.schema)}
    ${
      answer.example &&
      html`<details>
        <summary>Example of an answer</summary>
        ${codeBlock(JSON.stringify(answer.example, null, 2))}
      </details>`
    }
    <details>
      <summary>Errors</summary>
      ${tableOf(
        ['Status', 'Codes'],
        errors.map(([code, error]) => [code, markdown.block(error.description)]),
      )}
    </details>
  </section>`;
}

function samplesOf(curl, client) {
  const sample = (name, text) =>
    html`<figure>
      <figcaption>${name}</figcaption>
      ${codeBlock(text)}
    </figure>`;
  return html`<div class="samples">${sample('curl', curl)}${sample('Client', client)}</div>`;
}

function curlOf({ method, path }, example) {
  const address = path.replaceAll(/\{(\w+)\}/g, (_placeholder, name) => VALUES[name]);
  const head = [`curl -f "$BASE_URL${address}"`, `-H "Authorization: Token $TOKEN"`];
  if (method === 'GET') return head.join(' \\\n  ');
  const body = JSON.stringify(example, null, 2);
  return `${[...head, "-H 'Content-Type: application/json'", "-d @- <<'END'"].join(' \\\n  ')}\n${body}\nEND`;
}

function clientOf({ operationId, method, path }, example, answer) {
  if (operationId in CALLS) return CALLS[operationId];
  const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => VALUES[name]);
  const values = method === 'GET' ? placeholders.map((value) => `'${value}'`).join(', ') : literalOf(example);
  const call = `client.${operationId}(${values})`;
  if (method === 'GET' && answer.type === 'array')
    return `for await (const account of ${call}) {\n  console.log(account);\n}`;
  return `const answer = await ${call};\nconsole.log(answer);`;
}

/** A JSON value as a JavaScript literal, as a programmer would write it. */
function literalOf(value) {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^( *)"(\w+)":/gm, '$1$2:')
    .replaceAll(/"([^"\\']*)"(,?)$/gm, "'$1'$2");
}

/** Describes schemas in tables, with the members of each object below it. The alternatives of a schema have their own sections. */
class Reader {
  #named = new Set();

  constructor(components, markdown) {
    this.components = components;
    this.markdown = markdown;
  }

  parameters(parameters) {
    const rows = parameters
      .map((parameter) => this.#resolved(parameter))
      .map(({ name, in: place, required, schema, description }) => [
        html`<code>${name}</code>`,
        html`${place === 'query' ? 'query' : place}${required && ', required'}`,
        this.#typeOf(schema),
        this.markdown.inline(description),
      ]);
    return tableOf(['Name', 'Where', 'Type', 'Meaning'], rows);
  }

  fields(schema) {
    const rows = this.#rowsOf(schema, '');
    if (rows.length === 0) return html`<p>${this.#typeOf(this.#resolved(schema))}</p>`;
    return tableOf(['Field', 'Type', 'Meaning'], rows);
  }

  /** Sections for the schemas that tables only link to; a section may link to further ones. */
  sections() {
    const sections = [];
    for (const name of this.#named) {
      const schema = this.components.schemas[name];
      sections.push({
        heading: { id: name, text: name, depth: 3 },
        html: html`<section aria-labelledby="${name}">
          <h3 id="${name}">${name}</h3>
          ${this.markdown.block(schema.description)}${this.fields(schema)}
        </section>`,
      });
    }
    const heading = { id: 'schemas', text: 'Schemas', depth: 2 };
    const title = { heading, html: html`<h2 id="schemas">Schemas</h2>` };
    return sections.length > 0 ? [title, ...sections] : [];
  }

  #rowsOf(schema, prefix) {
    const { items, properties = {}, required = [] } = this.#resolved(schema);
    if (items !== undefined) return this.#rowsOf(items, `${prefix}[].`.replace('.[]', '[]'));
    return Object.entries(properties).flatMap(([name, property]) => {
      const resolved = this.#resolved(property);
      const optional = required.includes(name) ? '' : ', optional';
      const row = [
        html`<code>${prefix}${name}</code>`,
        html`${this.#typeOf(resolved)}${optional}`,
        this.markdown.inline(property.description ?? resolved.description),
      ];
      return [row, ...this.#rowsOf(resolved, `${prefix}${name}.`)];
    });
  }

  #resolved(part) {
    if (part.$ref === undefined) return part;
    const [kind, name] = part.$ref.split('/').slice(-2);
    return this.components[kind][name];
  }

  #typeOf(schema) {
    const {
      type,
      format,
      items,
      enum: values,
      anyOf,
      oneOf,
      minimum,
      maximum,
      minLength,
      maxLength,
      minItems,
      maxItems,
    } = schema;
    const choices = anyOf ?? oneOf;
    if (choices !== undefined) return html`one of ${joined(choices.map(({ $ref }) => this.#linkTo($ref)))}`;
    if (values !== undefined)
      return html`${joined(
        values.map((value) => html`<code>${value}</code>`),
        ' or ',
      )}`;
    const names = [type]
      .flat()
      .map((name) =>
        name === 'array' ? html`list of ${this.#typeOf(this.#resolved(items))}` : (format ?? name),
      );
    const limits = [
      rangeOf(minimum, maximum, ''),
      rangeOf(minLength, maxLength, ' characters'),
      rangeOf(minItems, maxItems, ' items'),
    ].filter((limit) => limit !== undefined);
    return html`${joined(names, ' or ')}${limits.map((limit) => `, ${limit}`)}`;
  }

  #linkTo($ref) {
    const name = $ref.split('/').at(-1);
    this.#named.add(name);
    return html`<a href="#${name}">${name}</a>`;
  }
}

function rangeOf(least, most, unit) {
  const number = (value) => value.toLocaleString('en', { maximumFractionDigits: 10 });
  if (most !== undefined)
    return `${least > 0 || unit === '' ? `${number(least)} to` : 'at most'} ${number(most)}${unit}`;
  return least > 0 ? `at least ${number(least)}${least === 1 ? unit.replace(/s$/, '') : unit}` : undefined;
}

const joined = (parts, separator = ', ') =>
  parts.map((part, index) => html`${index > 0 && separator}${part}`);

const capitalised = (text) => text[0].toUpperCase() + text.slice(1);

function tableOf(names, rows) {
  return scrolling(
    html`<table>
      <thead>
        <tr>
          ${names.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`,
  );
}
