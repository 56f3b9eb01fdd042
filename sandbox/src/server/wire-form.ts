import { type Attributes, everyObject } from '../lib/every-object.ts';
import { hashUnit } from '../lib/hash.ts';
import type { Wire } from '../wire.ts';

type Change = (object: Attributes) => Attributes;

/** Attributes that the service may omit without any other meaning. */
const dispensable: ReadonlySet<string> = new Set([
  'hostname',
  'created',
  'ipv6',
  'lastresponsetime',
  'notifywhenbackup',
  'notifyagainevery',
  'city',
  'country',
  'statusdesclong',
  'availablesmstests',
  'maxrumfilters',
  'modified_at',
]);
const identifierName = /(^|_)id$|^(check|probe|user|contact|maintenance|analysis|country)id$/;
const affectedShare = 0.25;

/** Returns a body with the identifiers, optional attributes, empty lists and words of the wire. */
export function inFormOf(wire: Wire, body: object): object {
  const { ids, numbers, attributes, emptyLists, words } = wire;
  const changes: Change[] = [
    ...(ids === 'texts' ? [withTextIds] : []),
    ...(numbers === 'texts' ? [withTextNumbers] : []),
    ...(attributes === 'absent' ? [withoutSome] : []),
    ...(attributes === 'null' ? [withNulls] : []),
    ...(emptyLists === 'null' ? [withNullLists] : []),
    ...(words === 'capitals' ? [withCapitals] : []),
  ];
  const changed = changes.reduce((form, change) => everyObject(form, change) as object, body);
  return emptyLists === 'absent' ? withoutInnerLists(changed) : changed;
}

function withNullLists(object: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, isEmptyList(value) ? null : value]),
  );
}

/** The list that a response consists of is not absent. */
function withoutInnerLists(body: object): object {
  const inner = (object: Attributes): Attributes =>
    Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmptyList(value)));
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, everyObject(value, inner)]),
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function withTextIds(object: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      typeof value === 'number' && identifierName.test(name) ? String(value) : value,
    ]),
  );
}

function withTextNumbers(object: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      typeof value === 'number' && !identifierName.test(name) ? String(value) : value,
    ]),
  );
}

function withoutSome(object: Attributes): Attributes {
  const affected = affectedNames(object);
  return Object.fromEntries(Object.entries(object).filter(([name]) => !affected.includes(name)));
}

function withNulls(object: Attributes): Attributes {
  return { ...object, ...Object.fromEntries(affectedNames(object).map((name) => [name, null])) };
}

function withCapitals(object: Attributes): Attributes {
  const names = 'resolution' in object || 'interval' in object ? ['status', 'type'] : ['status'];
  const words = names.flatMap((name) => {
    const value = object[name];
    return typeof value === 'string' ? [[name, value.toUpperCase()] as const] : [];
  });
  return { ...object, ...Object.fromEntries(words) };
}

/** The optional attributes of an object that are affected, depending on its identifier. */
function affectedNames(object: Attributes): string[] {
  const id = Number(object.id ?? 0);
  return Object.keys(object).filter(
    (name) =>
      dispensable.has(name) &&
      hashUnit(id, ...[...name].map((letter) => letter.charCodeAt(0))) < affectedShare,
  );
}
