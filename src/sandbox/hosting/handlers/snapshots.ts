import type * as endpoints from '../../../hosting/endpoints/snapshots.ts';
import { conflict, unprocessableField } from '../api-error.ts';
import { readStableState, type Snapshot, startTransition } from '../state/vps.ts';
import type { PartHandlers } from './handler.ts';
import { formatIsoTime } from './iso-time.ts';

const createMs = 3_000;
const restoreMs = 6_000;
const namePattern = /^[^\p{Cc}/.][^\p{Cc}/]{0,63}$/u;

function describe({ name, size_gb, createdMs, readyMs }: Snapshot, nowMs: number) {
  const state = nowMs < readyMs ? 'creating' : 'available';
  return { name, state, size_gb, created_at: formatIsoTime(createdMs) };
}

function assertReady({ name, readyMs }: Snapshot, nowMs: number): void {
  if (nowMs < readyMs) throw conflict(`Snapshot ${name} is still being created.`);
}

export const snapshotHandlers: PartHandlers<typeof endpoints> = {
  listSnapshots({ account, params, nowMs, page }) {
    const { vps_name, snapshots } = account.vps.get(params.vps_name);
    return {
      vps_name,
      snapshots: page(snapshots.all()).map((snapshot) => describe(snapshot, nowMs)),
      snapshot_quota: account.snapshotQuota,
    };
  },

  createSnapshot({ account, params, body, nowMs }) {
    if (!namePattern.test(body.name)) {
      throw unprocessableField(
        'name',
        'Use up to 64 characters, without any slashes and without a leading dot.',
      );
    }
    const machine = account.vps.get(params.vps_name);
    const { snapshots, vps_name, disk_gb } = machine;
    readStableState(machine, nowMs);
    if (snapshots.has(body.name)) throw conflict(`${vps_name} already has a snapshot ${body.name}.`);
    if (snapshots.all().length >= account.snapshotQuota) {
      throw conflict(`${vps_name} already has ${account.snapshotQuota} snapshots, its quota.`);
    }
    const size_gb = Math.ceil(disk_gb * 0.1);
    const snapshot = { name: body.name, size_gb, createdMs: nowMs, readyMs: nowMs + createMs };
    snapshots.add(snapshot);
    return { vps_name, ...describe(snapshot, nowMs) };
  },

  restoreSnapshot({ account, params, nowMs }) {
    const machine = account.vps.get(params.vps_name);
    const snapshot = machine.snapshots.get(params.name);
    readStableState(machine, nowMs);
    assertReady(snapshot, nowMs);
    startTransition(machine, nowMs, { via: 'restoring', durationMs: restoreMs, to: 'running' });
    return { vps_name: machine.vps_name, name: snapshot.name, state: 'restoring' };
  },

  deleteSnapshot({ account, params, nowMs }) {
    const machine = account.vps.get(params.vps_name);
    const snapshot = machine.snapshots.get(params.name);
    readStableState(machine, nowMs);
    assertReady(snapshot, nowMs);
    machine.snapshots.remove(snapshot.name);
    return { vps_name: machine.vps_name, name: snapshot.name, deleted: true };
  },
};
