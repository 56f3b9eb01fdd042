import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RequestHandler } from 'express';

/** Paths of the files that pages load, below the root and without a slash at the beginning. */
export interface AssetPaths {
  readonly style: string;
  readonly script: string;
  readonly chartStyle: string;
  readonly chartScript: string;
}

interface Asset {
  /** Holds a hash of the contents, so that browsers may cache the file indefinitely. */
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;

/** The files that pages load, from this package and from the chart library, and nothing else. */
export class Assets {
  readonly paths: AssetPaths;
  readonly favicon: Buffer;
  readonly #assets: readonly Asset[];

  constructor() {
    const fromPackage = createRequire(import.meta.url);
    const style = asset('page', 'css', new URL('./assets/page.css', import.meta.url));
    const script = asset('page', 'js', new URL('./assets/page.js', import.meta.url));
    const chartStyle = asset('uplot', 'css', fromPackage.resolve('uplot/dist/uPlot.min.css'));
    const chartScript = asset('uplot', 'js', fromPackage.resolve('uplot/dist/uPlot.iife.min.js'));
    this.#assets = [style, script, chartStyle, chartScript];
    this.paths = {
      style: style.path,
      script: script.path,
      chartStyle: chartStyle.path,
      chartScript: chartScript.path,
    };
    this.favicon = readFileSync(new URL('./assets/favicon.svg', import.meta.url));
  }

  /** The handler of each path, which begins with a slash. */
  handlers(): (readonly [path: string, handler: RequestHandler])[] {
    const favicon = fileHandler('image/svg+xml', this.favicon, 'max-age=86400');
    return [
      ...this.#assets.map(
        ({ path, type, body }) =>
          [`/${path}`, fileHandler(type, body, 'max-age=31536000, immutable')] as const,
      ),
      ['/favicon.ico', favicon],
    ];
  }
}

function asset(name: string, kind: keyof typeof types, file: URL | string): Asset {
  const body = readFileSync(file);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `assets/${name}-${hash}.${kind}`, type: types[kind], body };
}

function fileHandler(type: string, body: Buffer, caching: string): RequestHandler {
  return (_request, response) => {
    response
      .status(200)
      .set('Content-Type', type)
      .set('Content-Length', String(body.byteLength))
      .set('Cache-Control', caching)
      .set('X-Content-Type-Options', 'nosniff')
      .end(body);
  };
}
