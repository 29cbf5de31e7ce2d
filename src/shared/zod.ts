/**
 * zod's small build, in which a schema is made when it is first used, and only one is made where many would be the same. A start
 * defines 4,400 schemas; nearly half of them are plain strings, numbers and the like, and most of the others are of what it does not do.
 * Schemas never change once they are made. All of the product takes zod from here.
 */
import * as z from "zod/mini";

export * from "zod/mini";

type Schema = z.core.SomeType;

/** Becomes the schema that `make` returns, with the first property that anybody asks for. */
class Deferred {
  #make: (() => Schema) | undefined;

  constructor(make: () => Schema) {
    this.#make = make;
  }

  /** Of a schema with checks, too, many are only parts of others. */
  check(...checks: never[]): Schema {
    return deferred(() => Deferred.become(this).check(...checks));
  }

  /** If the schema cannot be made, nothing changes, and the next use fails in the same way. */
  static become(it: Deferred): z.ZodMiniType {
    const schema = it as unknown as z.ZodMiniType;
    const made = it.#make?.();
    if (!made) return schema;
    it.#make = undefined;
    Object.setPrototypeOf(it, Object.getPrototypeOf(made));
    Object.defineProperties(it, Object.getOwnPropertyDescriptors(made));
    // Descriptions are kept by the object that they were added to.
    const described = z.globalRegistry.get(made as z.core.$ZodType);
    if (described) z.globalRegistry.add(schema, described);
    return schema;
  }
}

// Without this, a schema would seem to have a constructor before it is made.
Reflect.deleteProperty(Deferred.prototype, "constructor");
Object.setPrototypeOf(
  Deferred.prototype,
  new Proxy(Object.prototype, {
    get: (_none, key, it) => Reflect.get(Deferred.become(it), key),
    set: (_none, key, value, it) => Reflect.set(Deferred.become(it), key, value),
  }),
);

function deferred(make: () => Schema): Schema {
  return new Deferred(make) as unknown as Schema;
}

/** The function, with schemas that are made later. */
function later<Make extends (...params: never[]) => Schema>(make: Make): Make {
  return ((...params: never[]) => deferred(() => make(...params))) as Make;
}

/** The same; without parameters, the function always returns the same schema. */
function shared<Make extends (params?: never) => Schema>(make: Make): Make {
  const plain = deferred(make);
  return ((params?: never) => (params === undefined ? plain : deferred(() => make(params)))) as Make;
}

/** The same; without parameters, the function returns the same schema for the same inner one. */
function sharedAround<Make extends (inner: Schema, params?: never) => Schema>(make: Make): Make {
  const known = new WeakMap<Schema, Schema>();
  return ((inner: Schema, params?: never): Schema => {
    if (params !== undefined) return deferred(() => make(inner, params));
    const plain = known.get(inner) ?? deferred(() => make(inner));
    known.set(inner, plain);
    return plain;
  }) as Make;
}

// Pure, so that a bundle has only those that it uses.
export const string: typeof z.string = /* @__PURE__ */ shared(z.string);
export const number: typeof z.number = /* @__PURE__ */ shared(z.number);
export const int: typeof z.int = /* @__PURE__ */ shared(z.int);
export const boolean: typeof z.boolean = /* @__PURE__ */ shared(z.boolean);
export const unknown: typeof z.unknown = /* @__PURE__ */ shared(z.unknown);
export const optional = /* @__PURE__ */ sharedAround(z.optional as never) as typeof z.optional;
export const exactOptional = /* @__PURE__ */ sharedAround(z.exactOptional as never) as typeof z.exactOptional;
export const nullable = /* @__PURE__ */ sharedAround(z.nullable as never) as typeof z.nullable;
export const nullish = /* @__PURE__ */ sharedAround(z.nullish as never) as typeof z.nullish;
export const array = /* @__PURE__ */ sharedAround(z.array as never) as typeof z.array;
export const object = /* @__PURE__ */ later(z.object as never) as typeof z.object;
export const looseObject = /* @__PURE__ */ later(z.looseObject as never) as typeof z.looseObject;
export const strictObject = /* @__PURE__ */ later(z.strictObject as never) as typeof z.strictObject;
export const extend = /* @__PURE__ */ later(z.extend as never) as typeof z.extend;
export const omit = /* @__PURE__ */ later(z.omit as never) as typeof z.omit;
export const pick = /* @__PURE__ */ later(z.pick as never) as typeof z.pick;
export const partial = /* @__PURE__ */ later(z.partial as never) as typeof z.partial;
export const record = /* @__PURE__ */ later(z.record as never) as typeof z.record;
export const partialRecord = /* @__PURE__ */ later(z.partialRecord as never) as typeof z.partialRecord;
export const tuple = /* @__PURE__ */ later(z.tuple as never) as typeof z.tuple;
export const union = /* @__PURE__ */ later(z.union as never) as typeof z.union;
export const discriminatedUnion = /* @__PURE__ */ later(
  z.discriminatedUnion as never,
) as typeof z.discriminatedUnion;
export const literal = /* @__PURE__ */ later(z.literal as never) as typeof z.literal;
export const pipe = /* @__PURE__ */ later(z.pipe as never) as typeof z.pipe;
export const transform = /* @__PURE__ */ later(z.transform as never) as typeof z.transform;
export const readonly = /* @__PURE__ */ later(z.readonly as never) as typeof z.readonly;
export const prefault = /* @__PURE__ */ later(z.prefault as never) as typeof z.prefault;
export const _default = /* @__PURE__ */ later(z._default as never) as typeof z._default;
const caught = /* @__PURE__ */ later(z.catch as never) as typeof z.catch;
const enumeration = /* @__PURE__ */ later(z.enum as never) as typeof z.enum;

export { caught as catch, enumeration as enum };
