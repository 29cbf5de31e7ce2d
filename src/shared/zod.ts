/**
 * zod's small build, with one schema where many would be the same. Schemas never change once they are made, and nearly half of the 4,400
 * that a start makes are plain strings, numbers and the like. All of the product takes zod from here.
 */
import * as z from "zod/mini";

export * from "zod/mini";

type Schema = z.core.SomeType;

/** Without parameters, the returned function always returns the same schema. */
function shared<Made extends Schema, Params>(make: (params?: Params) => Made): (params?: Params) => Made {
  let plain: Made | undefined;
  return (params) => {
    if (params !== undefined) return make(params);
    plain ??= make();
    return plain;
  };
}

/** Without parameters, the returned function returns the same schema for the same inner one. */
function sharedAround<Params>(make: (inner: Schema, params?: Params) => Schema) {
  const known = new WeakMap<Schema, Schema>();
  return (inner: Schema, params?: Params): Schema => {
    if (params !== undefined) return make(inner, params);
    const made = known.get(inner) ?? make(inner);
    known.set(inner, made);
    return made;
  };
}

export const string: typeof z.string = shared(z.string);
export const number: typeof z.number = shared(z.number);
export const int: typeof z.int = shared(z.int);
export const boolean: typeof z.boolean = shared(z.boolean);
export const unknown: typeof z.unknown = shared(z.unknown);
export const optional = sharedAround(z.optional) as typeof z.optional;
export const exactOptional = sharedAround(z.exactOptional) as typeof z.exactOptional;
export const nullable = sharedAround(z.nullable) as typeof z.nullable;
export const array = sharedAround(z.array) as typeof z.array;
