import { describe, expect, test } from 'vitest';
import { labelSecrets } from '../../../src/operations/format/label-secrets.ts';

const labels = (...paths: readonly (readonly string[])[]) =>
  labelSecrets(paths.map((path) => ({ path, value: 'x' }))).map(({ label }) => label);

describe('the names of secrets', () => {
  test('omit what all of them begin with', () => {
    expect(labels(['credentials', 'user'], ['credentials', 'password'])).toEqual(['User', 'Password']);
    expect(labels(['a', 'ftp', 'user'], ['a', 'ssh', 'user'])).toEqual(['FTP user', 'SSH user']);
  });

  test('are complete if there is only one, or they have nothing in common', () => {
    expect(labels(['root', 'password'])).toEqual(['Root password']);
    expect(labels(['token'], ['root', 'password'])).toEqual(['Token', 'Root password']);
    expect(labels(['password'], ['password', 'hint'])).toEqual(['Password', 'Password hint']);
    expect(labels([])).toEqual(['Secret']);
  });
});
