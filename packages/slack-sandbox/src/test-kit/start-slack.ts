import { findManifest } from '../find-manifest.ts';
import { createSlackSandbox, type SlackSandboxOptions } from '../slack-sandbox.ts';
import { type ConnectOptions, connectSlack, type Slack } from './slack.ts';

export interface StartSlackOptions extends Partial<SlackSandboxOptions>, ConnectOptions {}

/** A workspace of its own for a test. */
export interface StartedSlack extends Slack {
  close(): Promise<void>;
}

/**
 * Starts a sandbox in this process, on a free port, for one test. The manifest defaults to
 * that in the current folder. If there is none, the app may do everything. A sandbox that isn't closed doesn't keep the process alive.
 */
export async function startSlack({
  user,
  channel,
  team,
  timeoutMs,
  smartPunctuation,
  ...options
}: StartSlackOptions = {}): Promise<StartedSlack> {
  const sandbox = await createSlackSandbox({
    port: 0,
    manifest: findManifest(),
    keepsProcessAlive: false,
    ...options,
  });
  const slack = await connectSlack(sandbox.url, {
    ...(user !== undefined && { user }),
    ...(channel !== undefined && { channel }),
    ...(team !== undefined && { team }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(smartPunctuation !== undefined && { smartPunctuation }),
  });
  return { ...slack, close: () => sandbox.close() };
}
