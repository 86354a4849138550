import type { JsonObject } from '../json.ts';

/** A run of one of the app's functions as a step of a workflow. */
export interface FunctionExecution {
  readonly id: string;
  readonly callbackId: string;
  /** The person who started the workflow. */
  readonly user: string;
  /** The token in the event. It works for the Web API like the app's own. */
  readonly token: string;
  readonly inputs: JsonObject;
  state: 'running' | 'completed' | 'failed';
  outputs?: JsonObject;
  error?: string;
}

/** Describes an execution for the control API. */
export function toExecutionSummary(execution: FunctionExecution): JsonObject {
  const { callbackId, token: _, ...facts } = execution;
  return { ...facts, callback_id: callbackId };
}
