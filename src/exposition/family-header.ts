import { type Family, unitOf } from './catalogue/family.ts';
import type { Format } from './format.ts';

type Described = Pick<Family, 'name' | 'type' | 'help'>;

/** The metadata lines that stand above the samples of a family. */
export function familyHeader(family: Described, format: Format): string {
  return format === 'text' ? textHeader(family) : openMetricsHeader(family);
}

function textHeader({ name, type, help }: Described): string {
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
}

/** OpenMetrics names a counter without the `_total` of its samples. */
function openMetricsHeader({ name, type, help }: Described): string {
  const base = type === 'counter' ? name.replace(/_total$/, '') : name;
  const unit = unitOf(name);
  const unitLine = unit === undefined ? '' : `# UNIT ${base} ${unit}\n`;
  const escaped = escapeHelp(help).replaceAll('"', '\\"');
  return `# TYPE ${base} ${type}\n${unitLine}# HELP ${base} ${escaped}\n`;
}

function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
