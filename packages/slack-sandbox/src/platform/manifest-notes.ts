import { isObject } from '../json.ts';
import { coveredEventNames, ignoredManifestKeys } from './coverage.ts';
import { slackEventNames } from './event-names.ts';
import { slackManifestKeys } from './manifest-keys.ts';
import { findNearestName } from './nearest-name.ts';
import { notePublishedSchema } from './published-schema.ts';
import { slackScopeNames } from './scope-names.ts';

/** The newest `_metadata.major_version` in Slack's manifest reference. */
const newestVersion = 2;

interface NamedParts {
  readonly events: Iterable<string>;
  readonly scopes: Iterable<string>;
}

/**
 * Lists what the sandbox won't do for an app: keys, events and scopes of its manifest that Slack
 * doesn't know, probably because they are misspelled, and those that the sandbox doesn't cover.
 */
export function listManifestNotes(manifest: unknown, { events, scopes }: NamedParts): string[] {
  // The key of JSON Schema with which editors check a manifest.
  const keys = listKeys(manifest).filter((key) => key !== '$schema');
  const covered: ReadonlySet<string> = new Set(coveredEventNames);
  return [
    ...noteUnknownVersion(manifest),
    ...unknownNames('key', keys, slackManifestKeys),
    ...keys
      .filter((key) => ignoredManifestKeys.includes(key) && isInUse(manifest, key))
      .map((key) => `The sandbox ignores ${key}.`),
    ...unknownNames('event', events, slackEventNames),
    ...[...events]
      .filter((event) => slackEventNames.has(event) && !covered.has(event))
      .map((event) => `The sandbox never sends the event ${event}.`),
    ...unknownNames('scope', scopes, slackScopeNames),
    ...noteMissingMcpScope(manifest, new Set(scopes)),
    ...notePublishedSchema(manifest),
  ];
}

/** Says that the manifest has a version of Slack's format that the sandbox doesn't know. */
function noteUnknownVersion(manifest: unknown): string[] {
  const metadata = isObject(manifest) ? manifest._metadata : undefined;
  const version = isObject(metadata) ? metadata.major_version : undefined;
  if (typeof version !== 'number' || version <= newestVersion) return [];
  return [
    `The manifest has major_version ${version}. The sandbox knows versions up to ${newestVersion}, and reads it like those.`,
  ];
}

/** Says that MCP servers are declared without the scope that Slack's documentation requires for them. */
function noteMissingMcpScope(manifest: unknown, scopes: ReadonlySet<string>): string[] {
  const servers = isObject(manifest) ? manifest.mcp_servers : undefined;
  if (!isObject(servers) || Object.keys(servers).length === 0 || scopes.has('mcp:connect')) return [];
  return ["Slack's documents ask for the scope mcp:connect beside mcp_servers."];
}

function unknownNames(kind: string, names: Iterable<string>, known: ReadonlySet<string>): string[] {
  return [...names]
    .filter((name) => !known.has(name))
    .map((name) => {
      const nearest = findNearestName(name, known);
      const suggestion = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
      return `Slack's documents name no ${kind} ${name}.${suggestion}`;
    });
}

/**
 * Lists the keys of a manifest as paths, such as `features.shortcuts[].name`. Below a key that Slack
 * doesn't know, and below one whose keys the app chooses, nothing is listed.
 */
function listKeys(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) {
    const path = prefix.replace(/\.$/, '[].');
    return [...new Set(value.flatMap((item) => listKeys(item, path)))];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const path = `${prefix}${key}`;
    const hasKnownKeys = [...slackManifestKeys].some(
      (known) => known.startsWith(`${path}.`) || known.startsWith(`${path}[].`),
    );
    return hasKnownKeys ? [path, ...listKeys(child, `${path}.`)] : [path];
  });
}

/** Returns whether the value of a key asks for something: it isn't false or empty. */
function isInUse(manifest: unknown, key: string): boolean {
  const value = key
    .split('.')
    .reduce<unknown>((parent, name) => (isObject(parent) ? parent[name] : undefined), manifest);
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.values(value).some((part) => part !== false);
  return value !== undefined && value !== null && value !== false;
}
