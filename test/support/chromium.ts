import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { patienceMilliseconds } from './patience.ts';
import { toolPath } from './tools.ts';

const flags = [
  '--headless',
  '--hide-scrollbars',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  // A host whose plain HTTP the browser does not trust, as it trusts that of this machine.
  '--host-resolver-rules=MAP exporter 127.0.0.1',
  '--remote-debugging-pipe',
];

const keyCodes: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, Escape: 27, ' ': 32 };

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

interface Viewport {
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
  /** The reader's time zone, such as `Europe/Berlin`; by default UTC. */
  readonly timeZone?: string;
  /** False disables scripts. */
  readonly scripts?: boolean;
  /** By default a screen. */
  readonly media?: 'screen' | 'print';
}

/** The size of the window in pixels. */
interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The description of an element for assistive technology. */
interface AccessibleNode {
  readonly role: string;
  readonly name: string;
  /** The level of a heading. */
  readonly level?: number;
}

/**
 * A page in a real browser, controlled by the DevTools protocol over a pipe, without a port or a
 * driver.
 */
export interface BrowserPage {
  open(url: string, viewport: Viewport): Promise<void>;
  /**
   * The value of an expression in the page. It runs in an isolated world, to which the page's
   * policy does not apply.
   */
  evaluate(expression: string): Promise<unknown>;
  /** Waits until an expression is true in the page; fails after a minute. */
  until(expression: string): Promise<void>;
  /** Clicks in the middle of an element, like a mouse. */
  click(selector: string): Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  /** Presses and releases a key, such as `Tab` or `Enter`. */
  press(key: string): Promise<void>;
  /** A picture of the window, of the whole page, or of a part of the window. */
  screenshot(extent?: 'window' | 'page' | Rectangle): Promise<Buffer>;
  /** In the order of the page, without elements that are hidden from assistive technology. */
  accessibilityTree(): Promise<readonly AccessibleNode[]>;
  /** The browser's messages since the page was opened: errors, and violations of the policy. */
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
  let [origin, originBefore] = ['', ''];
  /** A message about the previous page may arrive after the next one is open. */
  const complain = (params: unknown) => {
    const complaint = JSON.stringify(params);
    const other = originBefore === origin ? '' : originBefore;
    if (other === '' || !complaint.includes(`${other}/`)) complaints.push(complaint);
  };
  pipe.on('Log.entryAdded', complain);
  pipe.on('Runtime.exceptionThrown', complain);
  for (const domain of ['Page', 'Runtime', 'Log']) await send(`${domain}.enable`);

  const evaluate = async (expression: string): Promise<unknown> => {
    const options = { expression, returnByValue: true, awaitPromise: true };
    const { result } = await send('Runtime.evaluate', options);
    return (result as { value?: unknown }).value;
  };
  const pageSize = async () =>
    (await evaluate(
      '({ width: innerWidth, height: document.documentElement.scrollHeight })',
    )) as object;

  return {
    complaints,
    async open(url, viewport) {
      const { width, height, scheme, scripts = true, timeZone = 'UTC', media } = viewport;
      await send('Emulation.setTimezoneOverride', { timezoneId: timeZone });
      await send('Emulation.setScriptExecutionDisabled', { value: !scripts });
      const mobile = width < 600;
      await send('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        mobile,
        deviceScaleFactor: 1,
      });
      await send('Emulation.setEmulatedMedia', {
        media: media ?? 'screen',
        features: [{ name: 'prefers-color-scheme', value: scheme }],
      });
      complaints.length = 0;
      [originBefore, origin] = [origin, new URL(url).origin];
      const loaded = pipe.next('Page.loadEventFired');
      await send('Page.navigate', { url });
      await loaded;
    },
    async evaluate(expression) {
      return evaluate(expression);
    },
    async until(expression) {
      const end = performance.now() + patienceMilliseconds;
      // The page may be left while it is asked.
      const isTrue = async () => (await evaluate(expression).catch(ifLeft)) === true;
      while (!(await isTrue())) {
        if (performance.now() > end) throw new Error(`never true in the page: ${expression}`);
        await delay(50);
      }
    },
    async click(selector) {
      const place = await evaluate(`(() => {
        const element = document.querySelector(${JSON.stringify(selector)});
        element?.scrollIntoView({ block: 'center', behavior: 'instant' });
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
      })()`);
      for (const type of ['mousePressed', 'mouseReleased']) {
        const button = { button: 'left', clickCount: 1 };
        await send('Input.dispatchMouseEvent', { type, ...(place as object), ...button });
      }
    },
    async type(text) {
      for (const character of text) await send('Input.insertText', { text: character });
    },
    async press(key) {
      const code = keyCodes[key];
      const text = key === 'Enter' ? { text: '\r' } : {};
      const event = { key, code: key, windowsVirtualKeyCode: code, ...text };
      for (const type of ['keyDown', 'keyUp'])
        await send('Input.dispatchKeyEvent', { type, ...event });
    },
    async screenshot(extent = 'window') {
      const part = extent === 'page' ? { ...(await pageSize()), x: 0, y: 0 } : extent;
      const { data } = await send('Page.captureScreenshot', {
        captureBeyondViewport: extent === 'page',
        ...(part !== 'window' && { clip: { ...part, scale: 1 } }),
      });
      return Buffer.from(String(data), 'base64');
    },
    async accessibilityTree() {
      const { nodes } = await send('Accessibility.getFullAXTree');
      return (nodes as ProtocolNode[]).filter(({ ignored }) => !ignored).map(accessibleNode);
    },
    async close() {
      await pipe.send('Browser.close', {});
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 20 });
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

function ifLeft(error: Error): void {
  if (!error.message.includes('navigated')) throw error;
}

/** The browser's DevTools protocol on file descriptors 3 and 4: JSON, ended by NUL. */
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
    const response = new Promise<Message>((resolve) => this.#pending.set(id, resolve));
    this.#output.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result, error } = await response;
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
