import { html } from 'hono/html';
import type { Core } from '../core.ts';
import type { ConsentRequest, Installer } from './consent-request.ts';

/**
 * Renders the page that asks whether to install the app, where, and as which person. The sandbox
 * has no sign-in.
 */
export function renderConsentPage(
  { manifest }: Core,
  { scopes, userScopes, returnTo }: ConsentRequest,
  installers: readonly Installer[],
  requestedTargetId: string | undefined,
) {
  const places = [...new Set(installers.map(({ target }) => target))];
  const first = installers.find(({ target }) => target.id === requestedTargetId) ?? installers[0];
  return renderPage(
    `Install ${manifest.name}`,
    html`<h1>${manifest.name} is requesting permission to access a workspace</h1>
      <form method="post">
        <label for="installer">Workspace and user</label>
        <select id="installer" name="installer">
          ${places.map(
            (
              place,
            ) => html`<optgroup label="${place.name}${place.enterprise ? ': the whole organization' : ''}">
              ${installers
                .filter((installer) => installer.target === place)
                .map(
                  ({ value, label }) =>
                    html`<option value="${value}" ${value === first?.value ? 'selected' : ''}>${place.name}${place.enterprise ? ' (organization)' : ''}: ${label}</option>`,
                )}
            </optgroup>`,
          )}
        </select>
        <h2>What ${manifest.name} will be able to do</h2>
        <ul>
          ${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}
          ${userScopes.map((scope) => html`<li>in your name: <code>${scope}</code></li>`)}
        </ul>
        <div class="buttons">
          <button name="decision" value="cancel">Cancel</button>
          <button class="primary" name="decision" value="allow">Allow</button>
        </div>
        <p class="subtle">You will return to ${returnTo.origin}.</p>
      </form>`,
  );
}

/** Renders the page for an invalid consent request. */
export function renderErrorPage(reason: string) {
  return renderPage(
    'Something went wrong',
    html`<h1>Oh no, something is wrong with this app</h1>
      <p>${reason}</p>`,
  );
}

function renderPage(title: string, content: ReturnType<typeof html>) {
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
