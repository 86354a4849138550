export type { Problem } from './block-kit/validation/problem.ts';
export { validateMessage, validateOptions, validateView } from './block-kit/validation/validate.ts';
export type { Companion } from './control/companion-routes.ts';
export type { GuideStep, ReadNext } from './guide.ts';
export { createSlackSandbox, type SlackSandbox, type SlackSandboxOptions } from './slack-sandbox.ts';
export { encodeTypedText, type NameDirectory } from './typed-text.ts';
export { webApiMethods } from './web-api/web-api-methods.ts';
export { findMentions } from './workspace/mentions.ts';
