import {
  type Document,
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
  type YAMLMap,
} from 'yaml';
import { asteriskNeedsQuotes, describeYamlError } from '../../lib/yaml-errors.ts';
import { ConfigurationError, type Path, type Problem } from './problem.ts';

/** The entry of a mapping: its own, or else the one that a merge key (`<<`) brings. */
function entryOf(document: Document, map: YAMLMap, key: unknown): Pair | undefined {
  const own = map.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (own !== undefined) return own;
  for (const item of map.items.filter(isMerge)) {
    for (const source of mergeSources(document, item)) {
      const found = isMap(source) ? entryOf(document, source, key) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function isMerge({ key }: Pair): boolean {
  return isScalar(key) && typeof key.value === 'symbol' && key.value.description === '<<';
}

/** What a merge key brings in, which should be mappings. */
function mergeSources(document: Document, { value }: Pair): unknown[] {
  const resolved = (node: unknown) => (isAlias(node) ? node.resolve(document) : node);
  const source = resolved(value);
  return isSeq(source) ? source.items.map(resolved) : [source];
}

const invalidMergeMessage = 'a merge key (<<) takes an alias of a mapping, or a list of such';

/** A YAML text in which places can be looked up. */
export class YamlSource {
  readonly #name: string;
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;

  constructor(name: string, text: string) {
    this.#name = name;
    this.#document = parseDocument(text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      // Its warnings about keys that are mappings repeat them, on stderr.
      logLevel: 'error',
      merge: true,
    });
  }

  /** What is no YAML; nothing else can be told of such a text. */
  syntaxError(): ConfigurationError | undefined {
    const { errors, warnings } = this.#document;
    const problems = [...errors, ...warnings].map(({ code, pos: [offset] }) => ({
      offset,
      message: describeYamlError(code),
    }));
    visit(this.#document, {
      Alias: (_key, alias) => {
        if (alias.resolve(this.#document) !== undefined) return;
        problems.push({ offset: alias.range?.[0] ?? 0, message: asteriskNeedsQuotes });
      },
      Pair: (_key, pair) => {
        if (!isMerge(pair) || mergeSources(this.#document, pair).every(isMap)) return;
        problems.push({
          offset: isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0,
          message: invalidMergeMessage,
        });
      },
    });
    return problems.length === 0 ? undefined : this.#inOrder(problems);
  }

  /** Throws a `ConfigurationError` for a text that unfolds into far more than it says, or without an end. */
  value(): unknown {
    try {
      return this.#document.toJS();
    } catch (error) {
      if (!(error instanceof ReferenceError || error instanceof RangeError)) throw error;
      throw this.#inOrder([{ offset: 0, message: 'the aliases (*) unfold into too much' }]);
    }
  }

  error(problems: readonly Problem[]): ConfigurationError {
    return this.#inOrder(
      problems.map(({ path, at, message }) => ({
        offset: at === 'key' ? this.#keyOffset(path) : this.#valueOffset(path),
        message,
      })),
    );
  }

  /** The problems in the order of their places, each after its file, line and column. */
  #inOrder(problems: { readonly offset: number; readonly message: string }[]): ConfigurationError {
    const lines = problems
      .sort((a, b) => a.offset - b.offset)
      .map(({ offset, message }) => {
        const { line, col } = this.#lines.linePos(offset);
        return `${this.#name}:${Math.max(1, line)}:${Math.max(1, col)}: ${message}`;
      });
    return new ConfigurationError([...new Set(lines)].join('\n'));
  }

  #keyOffset(path: Path): number {
    const parent = this.#node(path.slice(0, -1));
    const key = path.at(-1);
    const pair = isMap(parent) ? entryOf(this.#document, parent, key) : undefined;
    return isNode(pair?.key) ? (pair.key.range?.[0] ?? 0) : this.#valueOffset(path.slice(0, -1));
  }

  /** Where the value begins; where there is none, its key, and without that what should hold it. */
  #valueOffset(path: Path): number {
    const [start, end] = this.#node(path)?.range ?? [];
    const listed = typeof path.at(-1) === 'number';
    if (start !== undefined && (start !== end || listed)) return start;
    return path.length === 0 ? 0 : this.#keyOffset(path);
  }

  #node(path: Path): Node | undefined {
    let node: unknown = this.#document.contents;
    for (const step of path) {
      if (isAlias(node)) node = node.resolve(this.#document);
      if (isMap(node)) node = entryOf(this.#document, node, step)?.value;
      else node = isSeq(node) ? node.get(step, true) : undefined;
    }
    return isNode(node) ? node : undefined;
  }
}
