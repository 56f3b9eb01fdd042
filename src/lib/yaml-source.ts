import {
  type Alias,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';

export type Path = readonly (string | number)[];

/** One mistake in a YAML file. The message never contains a secret. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
  /** Whether the key or the value at the path is wrong. */
  readonly at: 'key' | 'value';
}

/** Does not repeat the name, which may be a secret without quotes. */
const missingAnchorMessage =
  'there is no anchor (&) of this name above this line; text that begins with * needs quotes';

/** The library's own messages quote parts of the text, which may be a secret. */
const messageByCode: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: missingAnchorMessage,
  BAD_INDENT: 'the indentation does not match the lines above',
  BAD_SCALAR_START: 'text that begins with @ or ` needs quotes',
  DUPLICATE_KEY: 'duplicate key: the same mapping has it above; keep one of the two',
  MISSING_CHAR:
    'a quote, bracket, comma or colon is missing, or the indentation does not match the lines above',
  MULTILINE_IMPLICIT_KEY: 'a colon and a space are missing after the key',
  MULTIPLE_DOCS: 'the file holds more than one document; remove this line (---), or one document',
  BLOCK_AS_IMPLICIT_KEY:
    'the value contains another ": "; put the text into quotes, or correct the indentation of the next line',
  TAB_AS_INDENT: 'indented with a tab; use spaces',
  TAG_RESOLVE_FAILED: 'text that begins with ! needs quotes',
};

/** After one of these mistakes the library misreads the lines that follow. */
const misleadingCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'MISSING_CHAR',
  'MULTILINE_IMPLICIT_KEY',
  'TAB_AS_INDENT',
]);

function messageOf({ code, message }: YAMLError): string {
  const [, bracket] = /end with a ([\]}])$/.exec(message) ?? [];
  if (bracket !== undefined) {
    return `${bracket} is missing here: a bracket is not closed, or a line within brackets is not indented enough`;
  }
  return messageByCode[code] ?? 'not valid YAML';
}

/** What each alias stands for. The library looks for it in the whole document each time. */
type Targets = ReadonlyMap<Alias, Node>;

function targetsOf(document: Document): Targets {
  const anchored = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Alias: (_key, alias) => {
      const target = anchored.get(alias.source);
      if (target !== undefined) targets.set(alias, target);
    },
    Value: (_key, value) => {
      if (value.anchor !== undefined) anchored.set(value.anchor, value);
    },
  });
  return targets;
}

/** Finds the entry of a key in a mapping: its own entry, or one from a merge key (`<<`). */
function entryOf(targets: Targets, map: YAMLMap, key: unknown): Pair | undefined {
  const own = map.items.find(
    (item) => isScalar(item.key) && String(item.key.value) === String(key),
  );
  if (own !== undefined) return own;
  for (const item of map.items.filter(isMerge)) {
    for (const source of mergeSources(targets, item)) {
      const found = isMap(source) ? entryOf(targets, source, key) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function isMerge({ key }: Pair): boolean {
  return isScalar(key) && typeof key.value === 'symbol' && key.value.description === '<<';
}

/** The mappings that a merge key refers to. Elements that are not mappings are mistakes. */
function mergeSources(targets: Targets, { value }: Pair): unknown[] {
  const resolved = (node: unknown) => (isAlias(node) ? targets.get(node) : node);
  const source = resolved(value);
  return isSeq(source) ? source.items.map(resolved) : [source];
}

const invalidMergeMessage =
  'a merge key (<<) takes an alias of a mapping, or a list of such aliases';

/** Of one anchor, those within repeated mappings included: each of many accounts may have some. */
const maxAliasCount = 10_000;

interface OffsetProblem {
  readonly offset: number;
  readonly message: string;
}

/** A YAML file whose mistakes can be reported with line and column. */
export class YamlSource {
  readonly #name: string;
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;
  readonly #targets: Targets;
  /** The place of the first text that is not UTF-8, or -1. */
  readonly #notUtf8: number;

  /** `merge` allows merge keys (`<<`). */
  constructor(name: string, text: string, { merge = false } = {}) {
    this.#name = name;
    // A reader of UTF-8 puts U+FFFD in place of other bytes.
    this.#notUtf8 = text.search(/[\0\ufffd]/);
    this.#document = parseDocument(text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      // The library would print a warning with the key to stderr when a key is a mapping.
      logLevel: 'error',
      merge,
    });
    this.#targets = targetsOf(this.#document);
  }

  /** The value, or a report of why the text is not valid YAML. */
  read(): { readonly value: unknown } | { readonly report: string } {
    const problems = this.#syntaxProblems();
    if (problems.length > 0) return { report: this.#inOrder(problems) };
    try {
      return { value: this.#document.toJS({ maxAliasCount }) };
    } catch (error) {
      if (!(error instanceof ReferenceError || error instanceof RangeError)) throw error;
      const message = 'the aliases (*) expand to too much data';
      return { report: this.#inOrder([{ offset: 0, message }]) };
    }
  }

  /** One line per problem with file, line and column, in the order of the file. */
  report(problems: readonly Problem[]): string {
    return this.#inOrder(
      problems.map(({ path, at, message }) => ({
        offset: at === 'key' ? this.#keyOffset(path) : this.#valueOffset(path),
        message,
      })),
    );
  }

  #syntaxProblems(): OffsetProblem[] {
    if (this.#notUtf8 >= 0) {
      const message = 'the file is not text in UTF-8; save it as UTF-8';
      return [{ offset: this.#notUtf8, message }];
    }
    const { errors, warnings } = this.#document;
    const found = [...errors, ...warnings].toSorted((a, b) => a.pos[0] - b.pos[0]);
    const problems = found.map((error) => ({ offset: error.pos[0], message: messageOf(error) }));
    const misleading = found.findIndex(({ code }) => misleadingCodes.has(code));
    if (misleading >= 0) return problems.slice(0, misleading + 1);
    visit(this.#document, {
      Alias: (_key, alias) => {
        if (this.#targets.has(alias)) return;
        problems.push({ offset: alias.range?.[0] ?? 0, message: missingAnchorMessage });
      },
      Pair: (_key, pair) => {
        // An alias without its anchor is reported above.
        const isSource = (source: unknown) => source === undefined || isMap(source);
        if (!isMerge(pair) || mergeSources(this.#targets, pair).every(isSource)) return;
        problems.push({
          offset: isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0,
          message: invalidMergeMessage,
        });
      },
    });
    return problems;
  }

  #inOrder(problems: readonly OffsetProblem[]): string {
    const lines = problems
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ offset, message }) => {
        const { line, col } = this.#lines.linePos(offset);
        return `${this.#name}:${Math.max(1, line)}:${Math.max(1, col)}: ${message}`;
      });
    return [...new Set(lines)].join('\n');
  }

  #keyOffset(path: Path): number {
    const parent = this.#node(path.slice(0, -1));
    const key = path.at(-1);
    const pair = isMap(parent) ? entryOf(this.#targets, parent, key) : undefined;
    return isNode(pair?.key) ? (pair.key.range?.[0] ?? 0) : this.#valueOffset(path.slice(0, -1));
  }

  /** The start of the value, or else of its key, or else of the container. */
  #valueOffset(path: Path): number {
    const [start, end] = this.#node(path)?.range ?? [];
    const listed = typeof path.at(-1) === 'number';
    if (start !== undefined && (start !== end || listed)) return start;
    return path.length === 0 ? 0 : this.#keyOffset(path);
  }

  #node(path: Path): Node | undefined {
    let node: unknown = this.#document.contents;
    for (const step of path) {
      if (isAlias(node)) node = this.#targets.get(node);
      if (isMap(node)) node = entryOf(this.#targets, node, step)?.value;
      else node = isSeq(node) ? node.get(step, true) : undefined;
    }
    return isNode(node) ? node : undefined;
  }
}
