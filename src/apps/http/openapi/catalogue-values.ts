import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** Each catalogue's initial values, by the catalogue's name. */
export type Catalogues = Readonly<Record<string, readonly string[]>>;

/**
 * List a catalogue's initial values in the description of each field that accepts them (choice X3). The list is not an `enum`:
 * operators extend it, and a client must not reject a value that it does not know.
 *
 * @param schemas changed in place
 */
export function nameCatalogueValues(schemas: Schemas, catalogues: Catalogues): void {
  for (const schema of Object.values(schemas)) {
    const { properties = {} } = schema as { properties?: Record<string, Record<string, unknown>> };
    for (const property of Object.values(properties)) {
      const catalogue = property['x-catalogue'];
      if (typeof catalogue !== 'string') continue;
      delete property['x-catalogue'];
      const values = (catalogues[catalogue] ?? []).map((value) => `\`${value}\``).join(', ');
      const allowed = `Allowed are ${values}, and the values that the operator has added.`;
      property.description = [property.description, allowed].filter(Boolean).join(' ');
    }
  }
}
