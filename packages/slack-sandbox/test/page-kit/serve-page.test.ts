import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { servePage } from '../../src/page-kit/serve-page.ts';

let directory: string;
let app: Hono;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rackhand-page-'));
  mkdirSync(join(directory, 'client', 'part'), { recursive: true });
  write('client/tsconfig.json', '{}');
  app = new Hono();
  app.onError((_, c) => c.text('failed', 500));
  servePage(app, { title: 'A <page>', folder: pathToFileURL(`${directory}/`), imageSources: 'data:' });
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(path: string, text: string): void {
  writeFileSync(join(directory, path), text);
}

test('a script that could not be built is built again at the next request', async () => {
  write('client/main.tsx', 'const = broken');
  expect((await app.request('/page/client.js')).status).toBe(500);
  write('client/main.tsx', 'document.title = "whole";');
  const script = await app.request('/page/client.js');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await script.text()).toContain('whole');
});

test('the styles of a page follow the shared ones, and come before those of its parts', async () => {
  write('client/part/a.css', '.part {}');
  write('z.css', '.page {}');
  const styles = await (await app.request('/page/page.css')).text();
  const places = ['box-sizing', '.page {}', '.part {}'].map((rule) => styles.indexOf(rule));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('a page runs only its own scripts, and its title is text', async () => {
  const page = await app.request('/');
  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'self'; img-src data:; base-uri 'none'; form-action 'none'",
  );
  expect(await page.text()).toContain('<title>A &lt;page&gt;</title>');
});
