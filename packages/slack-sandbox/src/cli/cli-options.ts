import { parseArgs } from 'node:util';
import type { DeliveryOption } from '../apps/app-description.ts';
import { findManifest, manifestNames } from '../find-manifest.ts';
import type { SlackSandboxOptions } from '../slack-sandbox.ts';
import { readWorld } from '../world/read-world.ts';

export const defaultPort = 4020;

export const helpText = `A Slack workspace on your own machine, for trying and testing apps.

Usage: slack-sandbox [options]

  --manifest FILE      the app's manifest, YAML or JSON; can be repeated for several apps
                       (default: ${manifestNames.join(', ')} in this folder;
                       without one, the app may do everything, and every command exists)
  --port NUMBER        port to listen on, or 0 for a free one (default: ${defaultPort})
  --host ADDRESS       address to listen on (default: 127.0.0.1)
  --allowed-host NAME  another hostname under which the sandbox is reached; can be repeated
  --seed FILE          the workspaces, people and channels, YAML or JSON
                       (default: the workspaces Acme and Globex)
  --delivery KIND      socket (default), or http:URL for signed requests to the app's URL; a URL without
                       a path gets each under the path of its URL in the manifest; with several apps,
                       repeated in the order of their manifests
  --help               show this text
  --version            show the version
`;

/** The command line's options. */
export type CliRequest =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'start'; readonly options: SlackSandboxOptions };

/** Parses the command line. Throws an error that says what is wrong with it. */
export function parseCommandLine(args: readonly string[]): CliRequest {
  const { values } = parseArgs({
    args: [...args],
    options: {
      manifest: { type: 'string', multiple: true },
      port: { type: 'string' },
      host: { type: 'string' },
      'allowed-host': { type: 'string', multiple: true },
      seed: { type: 'string' },
      delivery: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
  });
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  return {
    kind: 'start',
    options: {
      port: parsePort(values.port),
      allowedHosts: values['allowed-host'] ?? [],
      ...chooseApps(values.manifest, values.delivery, values.seed),
      ...(values.seed !== undefined && { seed: values.seed }),
      ...(values.host !== undefined && { host: values.host }),
    },
  };
}

/** Returns the apps that are named, or the one in this folder. A seed can name them instead. */
function chooseApps(
  manifests: readonly string[] | undefined,
  deliveries: readonly string[] = [],
  seed: string | undefined,
): Pick<SlackSandboxOptions, 'apps'> {
  if (!manifests && seed !== undefined && readWorld(seed).apps.length > 0) return {};
  const named = manifests ?? [findManifest()];
  if (deliveries.length > 1 && deliveries.length !== named.length) {
    throw new Error(
      `There are ${deliveries.length} --delivery for ${named.length} --manifest. Give one for each.`,
    );
  }
  return {
    apps: named.map((manifest, index) => ({
      manifest,
      delivery: parseDelivery(deliveries[index] ?? deliveries[0]),
    })),
  };
}

function parsePort(text = String(defaultPort)): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`--port must be a number from 0 to 65535, not ${JSON.stringify(text)}`);
}

function parseDelivery(text = 'socket'): DeliveryOption {
  if (text === 'socket') return text;
  if (text.startsWith('http:')) return `http:${text.slice('http:'.length)}`;
  throw new Error('--delivery must be socket or http:URL');
}
