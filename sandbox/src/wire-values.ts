/** A range of whole seconds, both ends included; a number is drawn from it for each response. */
export interface SecondsRange {
  readonly min: number;
  readonly max: number;
}

/** One freedom. */
export interface Freedom<V> extends FreedomValues<V> {
  /** Why the service may respond in several ways: what the documents, recordings or users say. */
  readonly source: string;
}

/** The values of a freedom. */
interface FreedomValues<V> {
  /** One phrase for the operator. */
  readonly description: string;
  /** The values in words. */
  readonly values: string;
  /** The value in recorded responses. */
  readonly recorded: V;
  /** The value in the documents. */
  readonly documented: V;
  /** All values that `drawWire` chooses from. */
  readonly drawn: readonly V[];
  /** Throws a `RangeError` for text that is not a value. */
  read(text: string): V;
  /** The text of a value, which `read` accepts. */
  show(value: V): string;
}

/** Responses lag by a day at most. */
const maxSeconds = 86_400;

/** Words, the recorded one first. */
export function word<const W extends string>(
  description: string,
  words: readonly [W, ...W[]],
  { documented = words[0] }: { documented?: NoInfer<W> } = {},
): FreedomValues<W> {
  return {
    description,
    values: words.join(', '),
    recorded: words[0],
    documented,
    drawn: words,
    read(text) {
      const known = words.find((each) => each === text);
      if (known === undefined) throw new RangeError(`must be one of ${words.join(', ')}`);
      return known;
    },
    show: String,
  };
}

/** Whole seconds, by default `recorded`. */
export function seconds(
  description: string,
  recorded: number,
  drawn: readonly number[],
  most = maxSeconds,
): FreedomValues<number> {
  return {
    description,
    values: `0 to ${most} seconds`,
    recorded,
    documented: recorded,
    drawn,
    read(text) {
      const value = Number(text);
      if (/^\d+$/.test(text) && value <= most) return value;
      throw new RangeError(`must be a whole number from 0 to ${most}`);
    },
    show: String,
  };
}

/** A range of seconds, by default 0. */
export function secondsRange(
  description: string,
  drawn: readonly string[],
): FreedomValues<SecondsRange> {
  const none = { min: 0, max: 0 };
  return {
    description,
    values: 'seconds such as 600, or a range such as 0-900',
    recorded: none,
    documented: none,
    drawn: drawn.map(readRange),
    read: readRange,
    show: ({ min, max }) => (min === max ? String(min) : `${min}-${max}`),
  };
}

function readRange(text: string): SecondsRange {
  const [, min = '', max = min] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  const range = { min: Number(min), max: Number(max) };
  if (min !== '' && range.min <= range.max && range.max <= maxSeconds) return range;
  throw new RangeError('must be a number of seconds, such as 600, or a range, such as 0-900');
}

/** A share of the responses, by default 0. */
export function share(description: string, drawn: readonly number[]): FreedomValues<number> {
  return {
    description,
    values: '0 to below 1',
    recorded: 0,
    documented: 0,
    drawn,
    read(text) {
      const value = Number(text);
      if (text.trim() !== '' && value >= 0 && value < 1) return value;
      throw new RangeError('must be a number from 0 to below 1');
    },
    show: String,
  };
}

export function zone(
  description: string,
  recorded: string,
  others: readonly [string, ...string[]],
): FreedomValues<string> {
  return {
    description,
    values: 'names of the time zone database',
    recorded,
    documented: others[0],
    drawn: [recorded, ...others],
    read(text) {
      if (isTimeZone(text)) return text;
      throw new RangeError('must be a zone of the time zone database, such as Asia/Kolkata');
    },
    show: String,
  };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
