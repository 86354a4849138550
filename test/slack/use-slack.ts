import { webApi } from '@slack/bolt';
import { createSlackSandbox, type SlackSandbox } from 'slack-sandbox';
import { afterAll, beforeAll } from 'vitest';
import { createDataTables } from '../../src/slack/client/data-tables.ts';
import type { SlackClients } from '../../src/slack/client/slack-clients.ts';
import { createSlackDriver, manifestPath } from '../stack.ts';

/** Registers a Slack workspace without the app, for all tests of a file or a group. */
export function useSlack(manifest: string | object = manifestPath) {
  let sandbox: SlackSandbox | undefined;
  beforeAll(async () => {
    sandbox = await createSlackSandbox({ port: 0, manifest });
  });
  afterAll(() => sandbox?.close());
  const url = () => {
    if (!sandbox) throw new Error('Slack is not running');
    return sandbox.url;
  };
  return {
    get url() {
      return url();
    },
    get apiUrl() {
      return `${url()}/api/`;
    },
    get driver() {
      return createSlackDriver(url());
    },
    /** Returns Acme's client. */
    connect: () => new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: `${url()}/api/` }),
    /** Returns the clients of an app that is installed in Acme. */
    get clients() {
      return toSlackClients(`${url()}/api/`);
    },
  };
}

/** Returns clients that all belong to Acme. */
export function toSlackClients(apiUrl: string): SlackClients {
  const client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: apiUrl });
  return Object.assign(async () => client, { apiUrl, ...createDataTables() });
}
