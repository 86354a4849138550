import { html } from 'hono/html';
import type { Core } from '../core.ts';
import type { Installer, Request } from './consent.ts';

/** The page that asks whether the app may be installed, where, and by whom: nobody signs in to a sandbox. */
export function consentPage(
  { manifest }: Core,
  { scopes, returnTo }: Request,
  installers: readonly Installer[],
  wanted: string | undefined,
) {
  const places = [...new Set(installers.map(({ place }) => place))];
  const first = installers.find(({ place }) => place.id === wanted) ?? installers[0];
  return frame(
    `Install ${manifest.name}`,
    html`<h1>${manifest.name} asks for permission to come into a workspace</h1>
      <form method="post">
        <label for="installer">Install in, and as whom</label>
        <select id="installer" name="installer">
          ${places.map(
            (
              place,
            ) => html`<optgroup label="${place.name}${place.enterprise ? ': the whole organisation' : ''}">
              ${installers
                .filter((installer) => installer.place === place)
                .map(
                  ({ value, label }) =>
                    html`<option value="${value}" ${value === first?.value ? 'selected' : ''}>${place.name}${place.enterprise ? ' (organisation)' : ''}: ${label}</option>`,
                )}
            </optgroup>`,
          )}
        </select>
        <h2>What ${manifest.name} will be able to do</h2>
        <ul>
          ${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}
        </ul>
        <div class="buttons">
          <button name="decision" value="cancel">Cancel</button>
          <button class="primary" name="decision" value="allow">Allow</button>
        </div>
        <p class="subtle">You come back to ${returnTo.origin}.</p>
      </form>`,
  );
}

/** The page where nobody can be asked. */
export function unaskablePage(reason: string) {
  return frame(
    'Something is wrong',
    html`<h1>Oh no, something is wrong with this app</h1>
      <p>${reason}</p>`,
  );
}

function frame(title: string, content: ReturnType<typeof html>) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Slack sandbox</title>
        <link rel="stylesheet" href="/oauth/v2/page.css" />
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html>`;
}
