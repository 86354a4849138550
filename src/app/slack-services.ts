import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import type { FindChannelSteps } from '../auth/channel-steps.ts';
import { type ChartRenderer, createChartRenderer } from '../charts/chart-renderer.ts';
import type { Chart } from '../operations/define/outcome.ts';
import { createMentionResolver } from '../slack/blocks/resolve-mentions.ts';
import { createChartImages } from '../slack/client/chart-images.ts';
import { createDataTables } from '../slack/client/data-tables.ts';
import { createTokenCheck } from '../slack/client/identify-installation.ts';
import { createPermalinks } from '../slack/client/permalink.ts';
import { createSlackClients, interactiveRetry, replyRateLimitWaitMs } from '../slack/client/slack-clients.ts';
import { createSlackDirectory } from '../slack/client/slack-directory.ts';
import { createSlackLogger } from '../slack/client/slack-logger.ts';
import { createChannelPublisher } from '../slack/messages/publishers/channel-publisher.ts';
import type { Installation, InstallationStore } from '../workspaces/installation-store.ts';

export interface SlackServicesOptions {
  readonly apiUrl: string;
  readonly installations: InstallationStore;
  readonly onCalled: (method: string, result: string) => void;
  readonly now: () => number;
  /** Draws the graphs. Defaults to a renderer with its own process. */
  readonly charts?: ChartRenderer | undefined;
  readonly findChannelSteps: FindChannelSteps;
  readonly log: Logger;
}

interface SlackServiceEvents {
  tokenRefused: [Installation];
}

export type SlackServices = ReturnType<typeof createSlackServices>;

/** Creates the services that call Slack. Each client retries for as long as someone would wait for the result. */
export function createSlackServices({
  apiUrl,
  installations,
  onCalled,
  now,
  charts = createChartRenderer(),
  findChannelSteps,
  log,
}: SlackServicesOptions) {
  const events = new EventEmitter<SlackServiceEvents>();
  const onTokenRefused = (installation: Installation) => void events.emit('tokenRefused', installation);
  const stopping = new AbortController();
  const clientOptions = {
    signal: stopping.signal,
    apiUrl,
    logger: createSlackLogger(log),
    dataTables: createDataTables(),
    now,
    onCalled,
    onTokenRefused,
  };
  const clients = createSlackClients(installations, {
    ...clientOptions,
    retryConfig: interactiveRetry,
    rateLimitWaitMs: replyRateLimitWaitMs,
  });
  // Fails at once when rate-limited, so only one message waits and not the whole workspace.
  const failFastClients = createSlackClients(installations, {
    ...clientOptions,
    retryConfig: { retries: 0 },
    rateLimitWaitMs: 0,
  });
  const chartImages = createChartImages(charts, clients, log);
  const directory = createSlackDirectory(clients, log, now);
  const resolveMentions = createMentionResolver(directory);
  return {
    events,
    clients,
    failFastClients,
    charts,
    directory,
    /** Ends waits for Slack's rate limit, and rejects further calls. */
    stopCalls: () => stopping.abort(),
    checkToken: createTokenCheck(clientOptions),
    resolveMentions,
    findPermalink: createPermalinks(failFastClients),
    findChannelSteps,
    /** Uploads a chart without sharing it. Resolves to undefined if the upload fails. */
    async uploadChart(teamId: string, chart: Chart): Promise<string | undefined> {
      const upload = await chartImages.upload(chart, teamId, { isScheduled: true });
      return 'fileId' in upload ? upload.fileId : undefined;
    },
    channelPublisher: createChannelPublisher({
      clients: failFastClients,
      resolveMentions,
      findDisplayName: directory.findDisplayName,
      findChannelSteps,
    }),
  };
}
