import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { skipped } from '../support/skipped.ts';

/** A value as Grafana shows it. */
export interface Shown {
  readonly text: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly color?: string;
  readonly numeric: number;
  readonly title?: string;
}

export interface DataLink {
  readonly href: string;
  readonly title: string;
}

export interface FieldConfig {
  readonly unit?: string;
  readonly noValue?: string;
  readonly color?: { readonly mode: string };
  readonly thresholds?: {
    readonly steps: readonly { readonly value: number; readonly color: string }[];
  };
  readonly custom?: Readonly<Record<string, unknown>>;
  readonly displayNameFromDS?: string;
  readonly interval?: number;
}

export interface Field {
  readonly name: string;
  readonly type: 'time' | 'number' | 'string';
  readonly config: FieldConfig;
  readonly values: readonly unknown[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly display?: (value: unknown) => Shown;
  readonly getLinks?: (of: { readonly valueRowIndex: number }) => readonly DataLink[];
}

export interface Frame {
  readonly refId: string;
  readonly name?: string;
  readonly length: number;
  readonly fields: readonly Field[];
}

export interface FieldConfigSource {
  readonly defaults: unknown;
  readonly overrides: readonly { readonly properties: readonly { readonly id: string }[] }[];
}

/** The context in which a variable is replaced: the field and the row of the text. */
export type ScopedVariables = Readonly<
  Record<string, { readonly value: unknown } | undefined> & {
    readonly __dataContext?: {
      readonly value: {
        readonly frame: Frame;
        readonly field: Field;
        readonly rowIndex?: number;
      };
    };
  }
>;
export type ReplaceVariables = (text: string, scoped?: ScopedVariables) => string;

interface Theme {
  readonly visualization: { getColorByName(name: string): string };
}

interface FieldContext {
  readonly fieldConfig: FieldConfigSource;
  readonly replaceVariables: ReplaceVariables;
  readonly theme: Theme;
  readonly timeZone: string;
}

/** The part of `@grafana/data` that the tests call. */
interface GrafanaData {
  createTheme(options: { readonly colors: { readonly mode: 'light' | 'dark' } }): Theme;
  transformDataFrame(
    transformations: readonly unknown[],
    frames: readonly Frame[],
  ): {
    subscribe(observer: {
      readonly next: (frames: readonly Frame[]) => void;
      readonly error: (reason: Error) => void;
    }): unknown;
  };
  applyFieldOverrides(
    options: FieldContext & {
      readonly data: readonly Frame[];
      readonly fieldConfigRegistry: unknown;
    },
  ): readonly Frame[];
  getFieldDisplayValues(
    options: FieldContext & { readonly data: readonly Frame[]; readonly reduceOptions: unknown },
  ): readonly {
    readonly display: Shown;
    readonly hasLinks: boolean;
    readonly getLinks?: () => readonly DataLink[];
  }[];
  getFieldDisplayName(field: Field, frame: Frame, frames: readonly Frame[]): string;
  getFieldDisplayValuesProxy(options: {
    readonly frame: Frame;
    readonly rowIndex: number;
    readonly timeZone: string;
  }): Readonly<Record<string, unknown>>;
  formattedValueToString(value: Shown): string;
  getActiveThreshold(
    value: number,
    steps: readonly { readonly value: number; readonly color: string }[],
  ): { readonly value: number; readonly color: string };
  sortDataFrame(frame: Frame, fieldIndex: number, reverse: boolean): Frame;
  toDataFrame(frame: unknown): Frame;
  readonly FieldConfigOptionsRegistry: new (init: () => readonly unknown[]) => unknown;
  readonly standardTransformersRegistry: {
    /** Has been read, so that `setInit` throws. */
    readonly initialized: boolean;
    setInit(init: () => readonly unknown[]): void;
  };
  readonly standardTransformers: Readonly<
    Record<string, { readonly id: string; readonly name: string }>
  >;
  readonly rangeUtil: {
    roundInterval(milliseconds: number): number;
  };
  identityOverrideProcessor(value: unknown): unknown;
  readonly thresholdsOverrideProcessor: unknown;
  readonly valueMappingsOverrideProcessor: unknown;
  readonly dataLinksOverrideProcessor: unknown;
  readonly displayNameOverrideProcessor: unknown;
}

const folder = join(import.meta.dirname, '..', 'grafana');
const requireThere = createRequire(join(folder, 'package.json'));

/** For `test.skipIf`: see `skipped`. */
export function missingGrafana(): boolean {
  try {
    requireThere.resolve('@grafana/data');
    return false;
  } catch {
    return skipped('@grafana/data is not there; npm ci --prefix test/grafana installs it');
  }
}

/**
 * Grafana's code changes the process into a browser's, which later test files must not see. Called
 * before it is loaded.
 */
export function forgetGrafanaAfterwards(): void {
  const before = new Set(Object.getOwnPropertyNames(globalThis));
  afterAll(() => {
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      if (!before.has(name)) Reflect.deleteProperty(globalThis, name);
    }
  });
}

/**
 * Loads Grafana's own code. It takes about a second, unless another test file of this process has
 * loaded it.
 */
export function loadGrafana(): GrafanaData {
  // Node.js 20 lacks this; Grafana reads the language of dates from it.
  if (!('navigator' in globalThis)) {
    Object.assign(globalThis, { navigator: { language: 'en-US', languages: ['en-US'] } });
  }
  const grafana: GrafanaData = requireThere('@grafana/data');
  // Transformations read the flags of experiments here. None is set.
  if (!('window' in globalThis)) Object.assign(globalThis, { window: {} });
  if (grafana.standardTransformersRegistry.initialized) return grafana;
  grafana.standardTransformersRegistry.setInit(() => [
    ...new Map(
      Object.values(grafana.standardTransformers).map((transformation) => {
        const { id, name } = transformation;
        return [id, { id, name, transformation: async () => transformation }];
      }),
    ).values(),
  ]);
  return grafana;
}

export type Grafana = ReturnType<typeof loadGrafana>;

/** The options of a panel's fields. The packages with the standard ones need a browser. */
export function fieldOptions(
  grafana: Grafana,
  { defaults, overrides }: FieldConfigSource,
): unknown {
  const identity = grafana.identityOverrideProcessor;
  const standard: Readonly<Record<string, unknown>> = {
    unit: identity,
    min: identity,
    max: identity,
    decimals: identity,
    noValue: identity,
    color: identity,
    displayName: grafana.displayNameOverrideProcessor,
    thresholds: grafana.thresholdsOverrideProcessor,
    mappings: grafana.valueMappingsOverrideProcessor,
    links: grafana.dataLinksOverrideProcessor,
  };
  const custom = new Set(
    overrides.flatMap(({ properties }) =>
      properties.flatMap(({ id }) => (id.startsWith('custom.') ? [id.slice(7)] : [])),
    ),
  );
  if (typeof defaults === 'object' && defaults !== null && 'custom' in defaults) {
    for (const name of Object.keys(defaults.custom ?? {})) custom.add(name);
  }
  const item = (id: string, path: string, process: unknown, isCustom: boolean) => ({
    id,
    path,
    name: id,
    process,
    override: process,
    isCustom,
    shouldApply: () => true,
  });
  return new grafana.FieldConfigOptionsRegistry(() => [
    ...Object.entries(standard).map(([id, process]) => item(id, id, process, false)),
    ...[...custom].map((name) => item(`custom.${name}`, name, identity, true)),
  ]);
}
