import { html } from 'hono/html';
import { contract, pathOf } from '../../hosting/contract.ts';
import type { Service } from './service.ts';
import { stateAt } from './state/power.ts';

const style = html`<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid color-mix(in srgb, currentcolor 20%, transparent); }
</style>`;

function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]) {
  return html`<table>
    <thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
    <tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
  </table>`;
}

/** Renders a page that says what runs here, with the fleet, the keys and the routes. */
export function renderPage({ account, calls, keyring, options }: Service) {
  const { now, openPaths } = options;
  const fleet = account.machines
    .all()
    .map(({ vps_name, hostname, os, power }) => [vps_name, hostname, stateAt(power, now()), os]);
  const keys = keyring.all().map(({ key, quota, permissions }) => [key, quota, permissions.join(', ')]);
  const routes = Object.values(contract).map((endpoint) => [
    endpoint.method,
    pathOf(endpoint, openPaths),
    endpoint.permission ?? '',
    endpoint.summary,
  ]);
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Hosting sandbox</title>${style}</head>
<body>
  <h1>Hosting sandbox</h1>
  <p>The hosting service's REST API v1, served from memory. Calls so far: ${calls.all().length}.
    See <a href="/openapi.json">openapi.json</a> and <a href="/sandbox/calls">the calls</a>.</p>
  <h2>Fleet</h2>${table(['VPS', 'Hostname', 'State', 'System'], fleet)}
  <h2>Keys</h2>${table(['Key', 'Quota', 'Permissions'], keys)}
  <h2>Routes</h2>${table(['Method', 'Path', 'Permission', 'What it does'], routes)}
</body>
</html>`;
}
