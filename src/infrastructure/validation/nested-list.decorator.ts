import 'reflect-metadata';
import { applyDecorators, type Type as Class } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';

const ITEMS = Symbol('items');

/** The field is a list of objects of a class, each of which is validated. */
export function NestedList(items: () => Class<object>): PropertyDecorator {
  return applyDecorators(
    ValidateNested({ each: true }),
    Type(items),
    (target: object, name: string | symbol) => {
      Reflect.defineMetadata(ITEMS, items, target, name);
    },
  );
}

/** The class that {@link NestedList} set for a field. */
export function itemsOf(type: Class<object>, name: string): Class<object> | undefined {
  const items = Reflect.getMetadata(ITEMS, type.prototype as object, name) as
    (() => Class<object>) | undefined;
  return items?.();
}
