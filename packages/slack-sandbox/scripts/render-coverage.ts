import { coveredEventNames, ignoredManifestKeys } from '../src/platform/coverage.ts';
import { slackEventNames } from '../src/platform/event-names.ts';
import { explainRetired } from '../src/platform/explain-unknown-method.ts';
import { slackMethodNames } from '../src/platform/method-names.ts';
import { webApiMethods } from '../src/web-api/web-api-methods.ts';

/** Renders the tables of what the sandbox covers, as Markdown. */
export function renderCoverage(): string {
  const methods = [...slackMethodNames].filter((name) => !name.startsWith('admin.'));
  const covered = methods.filter((name) => webApiMethods.has(name));
  const coveredEvents: ReadonlySet<string> = new Set(coveredEventNames);
  const otherEvents = [...slackEventNames].filter((name) => !coveredEvents.has(name));
  return `${covered.length} of ${methods.length} methods (without \`admin.*\`), ${coveredEvents.size} of ${slackEventNames.size} events. Slack's reference lists 213 of these methods, and its SDK the others.

| methods | covered | not yet |
|---|---|---|
${renderFamilies(methods)}

Events that are sent: ${renderNames([...coveredEventNames])}.

Events that are never sent: ${renderNames(otherEvents)}.

Parts of a manifest that are ignored: ${renderNames(ignoredManifestKeys)}.`;
}

function renderFamilies(methods: readonly string[]): string {
  const families = new Map<string, string[]>();
  for (const name of methods) {
    const [family = ''] = name.split('.');
    families.set(family, [...(families.get(family) ?? []), name]);
  }
  return [...families]
    .map(([family, names]) => {
      const shorten = (name: string) => name.slice(family.length);
      const covered = names.filter((name) => webApiMethods.has(name)).map(shorten);
      const missing = names.filter((name) => !webApiMethods.has(name) && !explainRetired(name)).map(shorten);
      const retired = names.filter((name) => explainRetired(name)).map(shorten);
      const note = retired.length > 0 ? `; retired: ${renderNames(retired)}` : '';
      return `| \`${family}\` | ${renderNames(covered)} | ${renderNames(missing)}${note} |`;
    })
    .join('\n');
}

function renderNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
