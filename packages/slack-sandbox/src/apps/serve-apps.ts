import type { Clock } from '../clock.ts';
import type { ServedApp } from '../core.ts';
import { createHttpTransport } from '../delivery/http-transport.ts';
import { createSocketTransport } from '../delivery/socket-transport.ts';
import type { IdGenerator } from '../id-generator.ts';
import { type AppManifest, readManifest } from '../manifest.ts';
import { createPermissiveManifest } from '../permissive-manifest.ts';
import type { TrafficLog } from '../traffic/traffic-log.ts';
import { createApp } from './app.ts';
import type { AppDescription } from './app-description.ts';
import { findConflicts } from './find-conflicts.ts';
import { createUrlFinder } from './request-urls.ts';

/** Reads the manifests of apps. Throws if one is invalid, or if the apps can't be served side by side. */
export function readManifests(apps: readonly AppDescription[]): readonly AppManifest[] {
  const manifests = apps.map(({ manifest }) =>
    manifest === undefined ? createPermissiveManifest() : readManifest(manifest),
  );
  const conflicts = findConflicts(manifests);
  if (conflicts.length > 0) throw new Error(conflicts.join('\n'));
  return manifests;
}

interface Services {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly traffic: TrafficLog;
}

/** Creates an app's credentials, and the transports that deliver its payloads. */
export function serveApp(
  manifest: AppManifest,
  number: number,
  delivery: string,
  { clock, ids, traffic }: Services,
): ServedApp {
  const app = createApp(number);
  const url = parseDelivery(delivery);
  return {
    app,
    manifest,
    http: url === undefined ? undefined : createHttpTransport(createUrlFinder(url, manifest), app, traffic),
    sockets: createSocketTransport({ clock, ids, traffic, appId: app.id, isEnabled: url === undefined }),
  };
}

function parseDelivery(delivery: string): string | undefined {
  if (delivery === 'socket') return undefined;
  const url = /^http:(?!\/\/)/.test(delivery) ? delivery.slice('http:'.length) : delivery;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Error(`The delivery is "socket" or "http:" and the app's URL, not ${JSON.stringify(delivery)}`);
  }
  return url;
}
