import { z } from 'zod';

/** How a container is started, according to the image's configuration. */
export interface ImageConfig {
  readonly env: Record<string, string>;
  readonly labels: Record<string, string>;
  workdir: string;
  user: string;
  entrypoint: readonly string[];
  cmd: readonly string[];
  readonly volumes: string[];
  readonly ports: string[];
}

export type Step =
  | { readonly kind: 'run'; readonly command: string; readonly workdir: string }
  | {
      readonly kind: 'copy';
      /** The stage that the files come from; absent for the build's context. */
      readonly from?: string;
      readonly sources: readonly string[];
      readonly target: string;
      readonly workdir: string;
    };

export interface Stage {
  readonly name: string;
  readonly base: string;
  readonly steps: readonly Step[];
  readonly config: ImageConfig;
}

const words = z.array(z.string());

/** The stages of a Dockerfile. Throws for an instruction that this project does not use. */
export function parseDockerfile(text: string, args: Readonly<Record<string, string>>): Stage[] {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: (Stage & { readonly steps: Step[] })[] = [];
  for (const line of lines) {
    const [, instruction = '', rest = ''] = line.match(/^(\w+)\s+(.*)$/) ?? [];
    const value = rest.replace(/\$\{(\w+)\}/g, (_all, name: string) => args[name] ?? '');
    if (instruction === 'FROM') {
      const [, base = '', name = ''] =
        value.match(/^(?:--platform=\S+ )?(\S+)(?: AS (\w+))?$/) ?? [];
      stages.push({ name, base, steps: [], config: emptyConfig() });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`before the first stage: ${line}`);
    const { config, steps } = stage;
    switch (instruction) {
      case 'ARG':
        break;
      case 'ENV':
        Object.assign(config.env, pairs(value));
        break;
      case 'LABEL':
        Object.assign(config.labels, pairs(value));
        break;
      case 'WORKDIR':
        config.workdir = value;
        break;
      case 'USER':
        config.user = value;
        break;
      case 'VOLUME':
        config.volumes.push(value);
        break;
      case 'EXPOSE':
        config.ports.push(value);
        break;
      case 'ENTRYPOINT':
        config.entrypoint = words.parse(JSON.parse(value));
        break;
      case 'CMD':
        config.cmd = words.parse(JSON.parse(value));
        break;
      case 'RUN':
        steps.push({ kind: 'run', command: value, workdir: config.workdir });
        break;
      case 'COPY': {
        const [, from, paths = ''] = value.match(/^(?:--from=(\w+) )?(.*)$/) ?? [];
        const all = paths.split(' ');
        const target = all.pop() ?? '';
        const copy = { kind: 'copy', sources: all, target, workdir: config.workdir } as const;
        steps.push(from === undefined ? copy : { ...copy, from });
        break;
      }
      default:
        throw new Error(`unknown instruction: ${line}`);
    }
  }
  return stages;
}

function emptyConfig(): ImageConfig {
  return {
    env: {},
    labels: {},
    workdir: '/',
    user: '0:0',
    entrypoint: [],
    cmd: [],
    volumes: [],
    ports: [],
  };
}

function pairs(text: string): Record<string, string> {
  const found = text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g);
  return Object.fromEntries([...found].map(([, name, quoted, bare]) => [name, quoted ?? bare]));
}
