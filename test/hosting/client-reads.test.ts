import { describe, expect, test } from 'vitest';
import { getRrdMonitoring } from '../../src/hosting/endpoints/monitoring.ts';
import { createSnapshot, listSnapshots } from '../../src/hosting/endpoints/snapshots.ts';
import { getVps, listVps, performVpsAction } from '../../src/hosting/endpoints/vps.ts';
import {
  background,
  createCalling,
  failureOf,
  pass,
  patientLimits,
  people,
  settle,
  startCalling,
  useFakeTime,
} from './calling.ts';
import { respond, startHttpServer } from './servers.ts';

const vps = { params: { vps_name: 'VPS-10001' } };
const reboot = { ...vps, body: { action: 'reboot' } };
const limits = patientLimits;

useFakeTime();

describe('identical reads in flight', () => {
  test('are one call', async () => {
    const { client, calls } = await startCalling({ limits });
    const reads = Array.from({ length: 10 }, () => client.call(getVps, vps, people));
    const answers = await settle(Promise.all(reads));
    expect(new Set(answers).size).toBe(1);
    expect(await calls()).toHaveLength(1);
  });

  test('are not those of another place or with another query', async () => {
    const { client, calls } = await startCalling({ limits });
    const reads = [
      client.call(getVps, vps, people),
      client.call(getVps, { params: { vps_name: 'VPS-10002' } }, people),
      client.call(getRrdMonitoring, { ...vps, query: { range: 'day' } }, people),
      client.call(getRrdMonitoring, { ...vps, query: { range: 'week' } }, people),
    ];
    await settle(Promise.all(reads));
    expect(await calls()).toHaveLength(4);
  });

  test('fail together, and the next one asks anew', async () => {
    const { client, arm, calls } = await startCalling({ limits });
    await arm({ fault: 'status:404' });
    const reads = [1, 2].map(() => client.call(getVps, vps, { ...people, maxAgeMs: 60_000 }));
    const codes = (await settle(Promise.all(reads.map(failureOf)))).map(({ code }) => code);
    expect(codes).toEqual(['not_found', 'not_found']);
    await settle(client.call(getVps, vps, { ...people, maxAgeMs: 60_000 }));
    expect(await calls()).toHaveLength(2);
  });

  test('are of one key: another key asks for itself', async () => {
    const { client, sandbox, calls } = await startCalling({ limits });
    const other = await createCalling(sandbox.url, { limits, apiKey: 'sandbox-key-read' });
    await settle(Promise.all([client.call(listVps, {}, people), other.client.call(listVps, {}, people)]));
    expect(await calls()).toHaveLength(2);
  });

  test('with a deadline do not decide over those without', async () => {
    const { client, calls } = await startCalling({ limits, limit: 1, windowMs: 10_000 });
    await settle(client.call(listVps, {}, people));
    const hasty = client.call(getVps, vps, { ...people, notAfterMs: Date.now() + 500 });
    const patient = client.call(getVps, vps, people);
    await expect(settle(hasty)).rejects.toMatchObject({ code: 'deadline_passed' });
    expect(await settle(patient)).toMatchObject({ vps_name: 'VPS-10001' });
    expect(await calls()).toHaveLength(2);
  });

  test('with a deadline do not wait past it for those without', async () => {
    const { client } = await startCalling({ limits, limit: 1, windowMs: 10_000 });
    await settle(client.call(listVps, {}, people));
    const patient = client.call(getVps, vps, people);
    const notAfterMs = Date.now() + 500;
    const hasty = client.call(getVps, vps, { ...people, notAfterMs });
    await expect(settle(hasty)).rejects.toMatchObject({ code: 'deadline_passed' });
    expect(Date.now()).toBeLessThan(notAfterMs + 1_000);
    await settle(patient);
  });

  test('are all told how long they wait, whenever they come', async () => {
    const { client } = await startCalling({ limits, limit: 1, windowMs: 10_000 });
    await settle(client.call(listVps, {}, people));
    const told: [string, number][] = [];
    const ask = (name: string) =>
      client.call(getVps, vps, { ...people, onQueued: (waitMs) => told.push([name, waitMs]) });
    const reads = [ask('first')];
    await pass(3_000);
    reads.push(ask('second'));
    await settle(Promise.all(reads));
    const [first, second] = told;
    expect(told.map(([name]) => name)).toEqual(['first', 'second']);
    expect((first?.[1] ?? 0) - (second?.[1] ?? 0)).toBeGreaterThanOrEqual(2_900);
    expect((first?.[1] ?? 0) - (second?.[1] ?? 0)).toBeLessThanOrEqual(3_100);
  });
});

describe('the lanes', () => {
  test('a person does not wait for the same question of the background', async () => {
    const { client, calls } = await startCalling({ limits, limit: 2, windowMs: 10_000 });
    await settle(client.call(listVps, {}, background));
    let isBackgroundAnswered = false;
    const later = client.call(getVps, vps, background).then(() => {
      isBackgroundAnswered = true;
    });
    await settle(client.call(getVps, vps, people), 5_000);
    expect(isBackgroundAnswered).toBe(false);
    await settle(later);
    expect(await calls()).toHaveLength(3);
  });

  test('the background takes the answer that a person waits for already', async () => {
    const { client, calls, usage } = await startCalling({ limits });
    await settle(Promise.all([client.call(getVps, vps, people), client.call(getVps, vps, background)]));
    expect(await calls()).toHaveLength(1);
    expect((await usage()).used).toEqual({ people: 1, background: 0 });
  });
});

describe('an earlier answer', () => {
  test('is not taken unless its age is accepted', async () => {
    const { client, calls } = await startCalling({ limits });
    for (let count = 0; count < 2; count += 1) await settle(client.call(getVps, vps, people));
    expect(await calls()).toHaveLength(2);
  });

  test('is taken up to that age, also by the other lane', async () => {
    const { client, calls } = await startCalling({ limits });
    const answer = await settle(client.call(getVps, vps, background));
    await pass(4_000);
    expect(await client.call(getVps, vps, { ...people, maxAgeMs: 5_000 })).toBe(answer);
    expect(await calls()).toHaveLength(1);
    await pass(2_000);
    await settle(client.call(getVps, vps, { ...people, maxAgeMs: 5_000 }));
    expect(await calls()).toHaveLength(2);
  });

  test('is one of the 200 last questions', async () => {
    const server = await startHttpServer((response) => respond(response, 200));
    const { client } = await createCalling(server.url, { limits });
    const ask = (number: number) =>
      client.call(getVps, { params: { vps_name: `VPS-${number}` } }, { ...people, maxAgeMs: 600_000 });
    for (let number = 0; number <= 200; number += 1) await settle(ask(number));
    await settle(ask(1));
    expect(server.seen).toHaveLength(201);
    await settle(ask(0));
    expect(server.seen).toHaveLength(202);
  });
});

describe('after a change', () => {
  test('nobody is given an answer of before it', async () => {
    const { client, calls } = await startCalling({ limits });
    const options = { ...people, maxAgeMs: 60_000 };
    await settle(client.call(listSnapshots, vps, options));
    await settle(client.call(createSnapshot, { ...vps, body: { name: 'new' } }, people));
    expect(await settle(client.call(listSnapshots, vps, options))).toMatchObject({
      snapshots: expect.arrayContaining([expect.objectContaining({ name: 'new' })]),
    });
    expect(await calls()).toHaveLength(3);
  });

  test('that failed, too: it may have taken effect', async () => {
    const { client, arm } = await startCalling({ limits });
    const options = { ...people, maxAgeMs: 60_000 };
    await settle(client.call(getVps, vps, options));
    await arm({ fault: 'status:500', applied: true });
    await settle(failureOf(client.call(performVpsAction, reboot, people)));
    expect(await settle(client.call(getVps, vps, options))).toMatchObject({ state: 'rebooting' });
  });

  test('nobody joins a read that was under way before, and its answer is not kept', async () => {
    const released = Promise.withResolvers<void>();
    let state = 'running';
    const server = await startHttpServer((response, { method }) => {
      const answer = { success: true, data: { state } };
      if (method === 'POST') state = 'rebooting';
      const isFirst = server.seen.length === 1;
      void (isFirst ? released.promise : Promise.resolve()).then(() => respond(response, 200, answer));
    });
    const { client } = await createCalling(server.url, { limits });
    const options = { ...people, maxAgeMs: 60_000 };
    const before = client.call(getVps, vps, options);
    await pass(500);
    await settle(client.call(performVpsAction, reboot, people));
    expect(await settle(client.call(getVps, vps, options))).toEqual({ state: 'rebooting' });
    released.resolve();
    expect(await settle(before)).toEqual({ state: 'running' });
    expect(await client.call(getVps, vps, options)).toEqual({ state: 'rebooting' });
    expect(server.seen).toHaveLength(3);
  });
});
