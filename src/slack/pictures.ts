import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Charts } from '../charts/charts.ts';
import type { Chart } from '../operations/outcome.ts';
import type { SlackClient, SlackClients } from './clients.ts';
import { uploadFile } from './files.ts';

/** How long Slack may take to find out what a picture is. */
const knownWithinMs = 20_000;

/** Pause between two questions whether Slack knows what a file is: until then no message can show it. */
const askAgainMs = 500;

/** Draws the charts of outcomes and brings them to Slack. */
export interface Pictures {
  /** Uploads the picture of a chart, shared with nobody yet, and gives the id of its file; nothing where that fails. */
  upload(chart: Chart, teamId: string): Promise<string | undefined>;
}

/** Creates what draws and uploads pictures. */
export function createPictures(charts: Charts, clients: SlackClients, log: Pick<Logger, 'error'>): Pictures {
  async function send(client: SlackClient, chart: Chart): Promise<string> {
    const { png } = await charts.draw(chart.spec);
    // What it shows is said by the block that shows it: `alt_txt` has kept files from being shared (slackapi/python-slack-sdk#1818).
    const id = await uploadFile(client, {
      name: 'graph.png',
      title: chart.spec.title,
      content: png,
    });
    const signal = AbortSignal.timeout(knownWithinMs);
    while (!(await client.files.info({ file: id })).file?.mimetype) {
      await delay(askAgainMs, undefined, { signal });
    }
    return id;
  }

  return {
    async upload(chart, teamId) {
      try {
        return await send(await clients(teamId), chart);
      } catch (error) {
        log.error({ err: error }, 'a picture could not be brought to Slack');
        return undefined;
      }
    },
  };
}
