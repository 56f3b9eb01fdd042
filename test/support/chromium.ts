import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { toolPath } from './tools.ts';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--remote-debugging-pipe',
];

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

export interface Viewport {
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
}

/** What an assistive technology is told of an element. */
export interface AccessibleNode {
  readonly role: string;
  readonly name: string;
  /** Of a heading. */
  readonly level?: number;
}

/** A page in a real browser, driven by the DevTools protocol over a pipe: no port, no driver. */
export interface BrowserPage {
  open(url: string, viewport: Viewport): Promise<void>;
  /** The value of an expression in the page, in a world of its own that the page's policy does not bind. */
  evaluate(expression: string): Promise<unknown>;
  screenshot(): Promise<Buffer>;
  /** In the order of the page, without what is hidden from assistive technology. */
  accessibilityTree(): Promise<readonly AccessibleNode[]>;
  /** What the browser complained about since the page was opened: errors, and breaches of the policy. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export async function openChromium(): Promise<BrowserPage> {
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
  const browser = spawn(toolPath('chromium'), [...flags, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const exited = once(browser, 'exit');
  const pipe = new ProtocolPipe(browser.stdio[3] as Writable, browser.stdio[4] as Readable);
  const { targetId } = await pipe.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await pipe.send('Target.attachToTarget', { targetId, flatten: true });
  const send = (method: string, params: object = {}) =>
    pipe.send(method, params, String(sessionId));
  const complaints: string[] = [];
  pipe.on('Log.entryAdded', (params) => complaints.push(JSON.stringify(params)));
  pipe.on('Runtime.exceptionThrown', (params) => complaints.push(JSON.stringify(params)));
  for (const domain of ['Page', 'Runtime', 'Log']) await send(`${domain}.enable`);

  return {
    complaints,
    async open(url, { width, height, scheme }) {
      const mobile = width < 600;
      await send('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        mobile,
        deviceScaleFactor: 1,
      });
      await send('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-color-scheme', value: scheme }],
      });
      complaints.length = 0;
      const loaded = pipe.next('Page.loadEventFired');
      await send('Page.navigate', { url });
      await loaded;
    },
    async evaluate(expression) {
      const { result } = await send('Runtime.evaluate', { expression, returnByValue: true });
      return (result as { value?: unknown }).value;
    },
    async screenshot() {
      const { data } = await send('Page.captureScreenshot', {});
      return Buffer.from(String(data), 'base64');
    },
    async accessibilityTree() {
      const { nodes } = await send('Accessibility.getFullAXTree');
      return (nodes as ProtocolNode[]).filter(({ ignored }) => !ignored).map(accessibleNode);
    },
    async close() {
      await pipe.send('Browser.close', {});
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface ProtocolNode {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly properties?: readonly {
    readonly name: string;
    readonly value: { readonly value: unknown };
  }[];
}

function accessibleNode({ role, name, properties = [] }: ProtocolNode): AccessibleNode {
  const level = properties.find((property) => property.name === 'level')?.value.value;
  return {
    role: role?.value ?? '',
    name: name?.value ?? '',
    ...(typeof level === 'number' && { level }),
  };
}

/** The DevTools protocol as the browser speaks it on file descriptors 3 and 4: JSON ended by NUL. */
class ProtocolPipe {
  readonly #output: Writable;
  readonly #pending = new Map<number, (message: Message) => void>();
  readonly #listeners = new Map<string, Set<(params: unknown) => void>>();
  #lastId = 0;
  #rest = '';

  constructor(output: Writable, input: Readable) {
    this.#output = output;
    input.setEncoding('utf8').on('data', (text: string) => this.#read(text));
  }

  async send(method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> {
    const id = ++this.#lastId;
    const reply = new Promise<Message>((resolve) => this.#pending.set(id, resolve));
    this.#output.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result, error } = await reply;
    if (result === undefined) throw new Error(`${method}: ${error?.message}`);
    return result;
  }

  on(method: string, listener: (params: unknown) => void): void {
    const listeners = this.#listeners.get(method) ?? new Set();
    this.#listeners.set(method, listeners.add(listener));
  }

  async next(method: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const listener = () => {
        this.#listeners.get(method)?.delete(listener);
        resolve();
      };
      this.on(method, listener);
    });
  }

  #read(text: string): void {
    const messages = (this.#rest + text).split('\0');
    this.#rest = messages.pop() ?? '';
    for (const json of messages) {
      const message = JSON.parse(json) as Message;
      if (message.id !== undefined) this.#pending.get(message.id)?.(message);
      for (const listener of this.#listeners.get(message.method ?? '') ?? []) {
        listener(message.params);
      }
    }
  }
}
