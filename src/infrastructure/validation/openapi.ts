import type { Type } from '@nestjs/common';

type Swagger = typeof import('@nestjs/swagger');

/** The recorded calls of the decorators below, in the order of the classes. */
const recorded: ((swagger: Swagger) => void)[] = [];

/**
 * Stand-ins for the decorators of @nestjs/swagger with the same names, for the classes in the published documents. They only act
 * when a document is generated, which a running service never does: loading the package would take a tenth of a process's start.
 */
export const ApiBody = deferred('ApiBody');
export const ApiConflictResponse = deferred('ApiConflictResponse');
export const ApiCreatedResponse = deferred('ApiCreatedResponse');
export const ApiExcludeController = deferred('ApiExcludeController');
export const ApiExtension = deferred('ApiExtension');
export const ApiExtraModels = deferred('ApiExtraModels');
export const ApiOkResponse = deferred('ApiOkResponse');
export const ApiOperation = deferred('ApiOperation');
export const ApiParam = deferred('ApiParam');
export const ApiProperty = deferred('ApiProperty');
export const ApiQuery = deferred('ApiQuery');
export const ApiSchema = deferred('ApiSchema');
export const ApiTags = deferred('ApiTags');

/** A response class without some properties. It is described like @nestjs/swagger's `OmitType`, and validates nothing. */
export function OmitType<T, K extends keyof T>(whole: Type<T>, keys: readonly K[]): Type<Omit<T, K>> {
  class Rest {}
  recorded.push((swagger) => {
    // Descriptions are read along the prototype chain.
    Object.setPrototypeOf(Rest.prototype, swagger.OmitType(whole, keys).prototype as object);
  });
  return Rest as Type<Omit<T, K>>;
}

/** Load @nestjs/swagger, and apply the recorded decorators of all loaded classes. */
export async function loadSwagger(): Promise<Swagger> {
  const swagger = await import('@nestjs/swagger');
  for (const act of recorded.splice(0)) act(swagger);
  return swagger;
}

function deferred<Name extends keyof Swagger & `Api${string}`>(name: Name): Swagger[Name] {
  const decorator = (...options: unknown[]) => {
    return (...target: unknown[]): void => {
      recorded.push((swagger) => {
        const original = swagger[name] as (...given: unknown[]) => (...described: unknown[]) => void;
        original(...options)(...target);
      });
    };
  };
  return decorator as Swagger[Name];
}
