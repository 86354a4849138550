export type { Problem } from './block-kit/validation/problem.ts';
export { validateMessage, validateOptions, validateView } from './block-kit/validation/validate.ts';
export type { Companion } from './control/companion.ts';
export { type CoveredMethod, coveredMethods } from './covered-methods.ts';
export type { GuideStep, ReadNext } from './guide.ts';
export { createSlackSandbox, type SlackSandbox, type SlackSandboxOptions } from './slack-sandbox.ts';
export { encodeTypedText, type NameDirectory } from './typed-text.ts';
export { findMentions } from './workspace/messages/mentions.ts';
export type {
  ChannelDescription,
  GroupDescription,
  PersonDescription,
  WorkspaceDescription,
  World,
} from './world/world.ts';
