import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { settingNames } from '../../src/config.ts';
import { findTypeErrors } from '../find-type-errors.ts';

const read = (path: string): string => readFileSync(path, 'utf8');

const service = z.looseObject({
  environment: z.record(z.string(), z.string()).optional(),
  depends_on: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).optional(),
  volumes: z.array(z.string()).optional(),
});
const compose = z
  .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })
  .loose()
  .parse(parse(read('compose.yml'), { merge: true }));

/** Settings that images and orchestrators know, besides Rackhand's. */
const otherVariables = ['NODE_ENV', 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD'];

test('workflows use actions by their hash, and a release has a list of packages and its provenance', () => {
  for (const name of ['ci', 'release']) {
    const actions = [...read(`.github/workflows/${name}.yml`).matchAll(/uses: ([^.]\S+)/g)];
    for (const [, action] of actions) expect(action).toMatch(/@[0-9a-f]{40}$/);
  }
  expect(read('.github/workflows/release.yml')).toMatch(/--sbom=true --provenance=mode=max/);
});

test('a release publishes the image after all tests have passed', () => {
  const { jobs } = z
    .looseObject({ jobs: z.object({ tests: z.unknown(), image: z.looseObject({ needs: z.string() }) }) })
    .parse(parse(read('.github/workflows/release.yml')));
  expect(jobs).toMatchObject({ tests: { uses: './.github/workflows/ci.yml' }, image: { needs: 'tests' } });
  expect(parse(read('.github/workflows/ci.yml')).on).toHaveProperty('workflow_call');
});

describe('the container image', () => {
  const dockerfile = read('Dockerfile');

  test('runs the built program, as a user without rights', () => {
    expect(dockerfile).toContain('CMD ["node", "main.js"]');
    expect(dockerfile).toContain('\nUSER node\n');
  });
});

test('the systemd unit runs the built program', () => {
  expect(read('deploy/rackhand.service')).toContain('ExecStart=/usr/bin/env node main.js\n');
});

describe('compose.yml', () => {
  test('starts two replicas on one PostgreSQL without any profile', () => {
    const { rackhand, postgres } = compose.services;
    expect(rackhand).toMatchObject({ deploy: { replicas: 2 }, build: '.' });
    expect(rackhand?.environment?.DATABASE_URL).toMatch(/^postgres:.*@postgres\/rackhand$/);
    expect([rackhand, postgres]).not.toContainEqual(expect.objectContaining({ profiles: expect.anything() }));
  });

  test('names only services, volumes and settings that exist', () => {
    for (const { environment = {}, depends_on = [], volumes = [] } of Object.values(compose.services)) {
      const dependencies = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(dependencies));
      expect(Object.keys(compose.volumes)).toEqual(
        expect.arrayContaining(volumes.map((volume) => volume.split(':')[0])),
      );
      expect([...settingNames, ...otherVariables]).toEqual(expect.arrayContaining(Object.keys(environment)));
    }
  });
});

test('all deployments give a process the same time to stop', () => {
  const [seconds] = /TimeoutStopSec=(\d+)/.exec(read('deploy/rackhand.service'))?.slice(1) ?? [];
  expect(read('compose.yml')).toContain(`stop_grace_period: ${seconds}s`);
  expect(read('deploy/kubernetes.yml')).toContain(`terminationGracePeriodSeconds: ${seconds}`);
});

test("the Kubernetes manifests have the types of Kubernetes' API, and their probes ask the routes that exist", async () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yml'));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const types = {
    Deployment: "import('kubernetes-types/apps/v1').Deployment",
    Service: "import('kubernetes-types/core/v1').Service",
    PodDisruptionBudget: "import('kubernetes-types/policy/v1').PodDisruptionBudget",
  };
  expect(documents.map((document) => document.get('kind'))).toEqual(Object.keys(types));
  expect(
    await findTypeErrors(
      Object.values(types).map((type, index) => ({ type, values: [documents[index]?.toJS()] })),
    ),
  ).toEqual([]);
  const probes = JSON.stringify(documents[0]?.toJS());
  for (const path of ['/healthz', '/readyz']) {
    expect(probes).toContain(`"path":"${path}"`);
    expect(read('src/http/health.ts')).toContain(`path: '${path}'`);
  }
});
