import type * as endpoints from '../../../hosting/endpoints/snapshots.ts';
import type { HandlersOf } from '../handler.ts';
import { isoTime } from '../iso-time.ts';
import { conflict, unprocessableField } from '../refusal.ts';
import { passThrough, type Snapshot, settledState } from '../state/machine.ts';

const snapshotsPerVps = 5;
const createMs = 3_000;
const restoreMs = 6_000;
const namePattern = /^[^\p{Cc}/.][^\p{Cc}/]{0,63}$/u;

function describe({ name, size_gb, createdMs, readyMs }: Snapshot, nowMs: number) {
  const state = nowMs < readyMs ? 'creating' : 'available';
  return { name, state, size_gb, created_at: isoTime(createdMs) };
}

function requireReady({ name, readyMs }: Snapshot, nowMs: number): void {
  if (nowMs < readyMs) throw conflict(`Snapshot ${name} is still being created.`);
}

/** Answers for the snapshots of a VPS. */
export const snapshotHandlers: HandlersOf<typeof endpoints> = {
  listSnapshots({ account, params, nowMs }) {
    const { vps_name, snapshots } = account.machines.get(params.vps_name);
    return {
      vps_name,
      snapshots: snapshots.all().map((snapshot) => describe(snapshot, nowMs)),
      snapshot_quota: snapshotsPerVps,
    };
  },

  createSnapshot({ account, params, body, nowMs }) {
    if (!namePattern.test(body.name)) {
      throw unprocessableField(
        'name',
        'Use up to 64 characters, without slashes and without a dot in front.',
      );
    }
    const machine = account.machines.get(params.vps_name);
    const { snapshots, vps_name, disk_gb } = machine;
    settledState(machine, nowMs);
    if (snapshots.has(body.name)) throw conflict(`${vps_name} already has a snapshot ${body.name}.`);
    if (snapshots.all().length >= snapshotsPerVps) {
      throw conflict(`${vps_name} already has ${snapshotsPerVps} snapshots, its quota.`);
    }
    const size_gb = Math.ceil(disk_gb * 0.1);
    const snapshot = { name: body.name, size_gb, createdMs: nowMs, readyMs: nowMs + createMs };
    snapshots.add(snapshot);
    return { vps_name, ...describe(snapshot, nowMs) };
  },

  restoreSnapshot({ account, params, nowMs }) {
    const machine = account.machines.get(params.vps_name);
    const snapshot = machine.snapshots.get(params.name);
    settledState(machine, nowMs);
    requireReady(snapshot, nowMs);
    passThrough(machine, nowMs, { via: 'restoring', forMs: restoreMs, to: 'running' });
    return { vps_name: machine.vps_name, name: snapshot.name, state: 'restoring' };
  },

  deleteSnapshot({ account, params, nowMs }) {
    const machine = account.machines.get(params.vps_name);
    const snapshot = machine.snapshots.get(params.name);
    settledState(machine, nowMs);
    requireReady(snapshot, nowMs);
    machine.snapshots.remove(snapshot.name);
    return { vps_name: machine.vps_name, name: snapshot.name, deleted: true };
  },
};
