export type { SlackSandboxOptions } from '../slack-sandbox.ts';
export { type ControlClient, createControlClient } from './control-client.ts';
export {
  type ConnectOptions,
  connectSlack,
  driveSlack,
  type Slack,
  type WaitOptions,
  type Where,
} from './slack.ts';
export type {
  ActResult,
  Pattern,
  SlackCall,
  SlackMessage,
  SlackObject,
  SlackView,
  Upload,
} from './slack-types.ts';
export { type StartedSlack, type StartSlackOptions, startSlack } from './start-slack.ts';
