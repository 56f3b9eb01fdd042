import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';
import { send } from './common/text-response.ts';

/** Paths of the files that pages load, below the root and without a slash at the beginning. */
export interface AssetPaths {
  readonly style: string;
  readonly refreshScript: string;
  readonly timesScript: string;
  readonly stripsScript: string;
  readonly chartStyle: string;
  readonly chartLibrary: string;
  readonly chartScript: string;
}

interface Asset {
  /** Contains a hash of the contents, so that browsers may cache the file indefinitely. */
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
    // The bundler copies each file that is named in such an expression.
    const assets = {
      style: styleSheet(),
      refreshScript: asset('refresh', 'js', new URL('./assets/refresh.js', import.meta.url)),
      timesScript: asset('times', 'js', new URL('./assets/times.js', import.meta.url)),
      stripsScript: asset('strips', 'js', new URL('./assets/strips.js', import.meta.url)),
      chartStyle: asset('uplot', 'css', fromPackage.resolve('uplot/dist/uPlot.min.css')),
      chartLibrary: asset('uplot', 'js', fromPackage.resolve('uplot/dist/uPlot.iife.min.js')),
      chartScript: asset('charts', 'js', new URL('./assets/charts.js', import.meta.url)),
    } satisfies { readonly [K in keyof AssetPaths]: Asset };
    this.#assets = Object.values(assets);
    const paths = Object.entries(assets).map(([name, { path }]) => [name, path]);
    this.paths = Object.fromEntries(paths) as { [K in keyof AssetPaths]: string };
    this.favicon = readFileSync(new URL('./assets/favicon.svg', import.meta.url));
  }

  /** Returns the handler of each path; a path begins with a slash. */
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

/** The style sheet of all pages. */
export function styleSheet(): Asset {
  return asset('page', 'css', new URL('./assets/page.css', import.meta.url));
}

function asset(name: string, kind: keyof typeof types, file: URL | string): Asset {
  const body = readFileSync(file);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `assets/${name}-${hash}.${kind}`, type: types[kind], body };
}

function fileHandler(type: string, body: Buffer, caching: string): RequestHandler {
  let compressed: Buffer | undefined;
  return (request, response) => {
    const headers = { 'Cache-Control': caching, Vary: 'Accept-Encoding' };
    if (request.acceptsEncodings('gzip', 'identity') === 'gzip') {
      compressed ??= gzipSync(body);
      send(response, 200, type, compressed, { ...headers, 'Content-Encoding': 'gzip' });
    } else {
      send(response, 200, type, body, headers);
    }
  };
}
