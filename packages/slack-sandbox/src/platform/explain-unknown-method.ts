import type { JsonObject } from '../json.ts';
import { slackMethodNames } from './method-names.ts';
import { findNearestName } from './nearest-name.ts';

/** Returns the fields that tell a developer why a method is unknown, beside Slack's error code. */
export function explainUnknownMethod(name: string): JsonObject {
  return { req_method: name, response_metadata: { messages: [`[ERROR] ${explain(name)}`] } };
}

function explain(name: string): string {
  if (slackMethodNames.has(name)) return `Slack has ${name}, this sandbox does not yet`;
  const nearest = findNearestName(name, slackMethodNames);
  return nearest === undefined
    ? `Slack's documents name no method ${name}`
    : `Slack's documents name no method ${name}. Did you mean ${nearest}?`;
}
