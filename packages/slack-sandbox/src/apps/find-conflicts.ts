import type { AppManifest } from '../manifest.ts';

/**
 * Lists why apps can't be served side by side, one sentence each. At Slack, the app that was
 * installed last takes over a command. Here that would depend on the order of the manifests.
 */
export function findConflicts(manifests: readonly AppManifest[]): string[] {
  return [
    ...findShared(manifests, ({ commands }) => commands.map(({ command }) => command)).map(
      ({ value, names }) =>
        `The command ${value} is in the manifests of ${names}. Remove it from one of them.`,
    ),
    ...findShared(manifests, ({ name, botName }) => [
      ...new Set([name.toLowerCase(), botName.toLowerCase()]),
    ]).map(
      ({ value }) =>
        `Two apps are called ${value}. Change display_information.name or features.bot_user.display_name of one.`,
    ),
  ];
}

function findShared(manifests: readonly AppManifest[], list: (manifest: AppManifest) => readonly string[]) {
  const owners = new Map<string, string[]>();
  for (const manifest of manifests) {
    for (const value of new Set(list(manifest))) {
      owners.set(value, [...(owners.get(value) ?? []), manifest.name]);
    }
  }
  return [...owners]
    .filter(([, names]) => names.length > 1)
    .map(([value, names]) => ({ value, names: names.join(' and ') }));
}
