import { findValues, isEmpty, isRecord, parseFlag, type ServiceRecord } from '../payloads/record.ts';

const errorFields = ['error', 'errors'];
const messageFields = ['message', 'msg', 'reason', 'detail', 'details', ...errorFields];
const resultFields = ['result', 'outcome'];
const stateFields = ['status', 'state'];

const failureWord = /^(error|fail(ed|ure)?|refused|rejected|denied)$/i;
/** Matches how services write that there is no error. */
const noErrorWord =
  /^(|-|none|nil|no|no errors?|without errors?|ok|okay|success(ful(ly)?)?|false|null|undefined|n\/a|0)[.!]?$/i;
const codeFields = ['code', 'errorcode', 'errno', 'number', 'status', 'statuscode'];
/** A 0 is not among them, because it is also the code of an error that has none. */
const noErrorCode = /^(2\d\d|ok|okay|success|none)$/i;
const errorFlagFields = ['error', 'iserror', 'haserror', 'haserrors', 'occurred', 'failed'];
const severityFields = ['severity', 'level', 'type'];
const mildSeverity = /^(warn(ing)?|info(rmation)?|notice|debug|success)$/i;
/** Normalized names of objects in a change's data that are about the change. */
const workFields = ['job', 'task', 'operation', 'action', 'process', 'request'];
/** Normalized names of objects around the data, which can also be the VPS. */
const wrapperFields = ['result', 'response'];
const maxWorkDepth = 3;

/**
 * Returns the part of a reply that says that the call failed, although its envelope says `success:
 * true`. Returns undefined if no part does. A read fails only if it has nothing else to show: its
 * entries can have errors of their own.
 */
export function findContradiction(envelope: ServiceRecord, isChange: boolean): unknown {
  const { data, ...around } = envelope;
  if (hasError(around) && (isChange || isEmpty(data))) return around;
  if (!isRecord(data)) return undefined;
  if (isChange) return findFailure(data);
  return isDenied(data) || (hasFailed(data) && hasMessage(data)) ? data : undefined;
}

/** Returns the part of a change's data that says that it failed: the data itself, or its job. */
function findFailure(data: ServiceRecord, isWork = false, depth = maxWorkDepth): ServiceRecord | undefined {
  // The state of a job is that of the change.
  const isFailedWork = isWork && findValues(data, stateFields).some(isFailureWord);
  if (isDenied(data) || hasFailed(data) || hasError(data) || isFailedState(data) || isFailedWork) return data;
  if (depth === 0) return undefined;
  const search = (fields: readonly string[], isJob: boolean) =>
    findValues(data, fields).flatMap((inner): readonly ServiceRecord[] | ServiceRecord =>
      isRecord(inner) ? (findFailure(inner, isJob, depth - 1) ?? []) : [],
    );
  return [...search(workFields, true), ...search(wrapperFields, false)][0];
}

function isDenied(data: ServiceRecord): boolean {
  return findValues(data, ['success']).some((value) => parseFlag(value) === false);
}

function hasFailed(data: ServiceRecord): boolean {
  return findValues(data, resultFields).some(isFailureWord);
}

/** A state alone can be that of the VPS. Beside a message, it is that of the call. */
function isFailedState(data: ServiceRecord): boolean {
  return findValues(data, stateFields).some(isFailureWord) && hasMessage(data);
}

function isFailureWord(value: unknown): boolean {
  return typeof value === 'string' && failureWord.test(value.trim());
}

function hasMessage(record: ServiceRecord): boolean {
  return findValues(record, messageFields).some(isError);
}

function hasError(record: ServiceRecord): boolean {
  return findValues(record, errorFields).some(isError);
}

function isError(value: unknown): boolean {
  if (typeof value === 'string') return !noErrorWord.test(value.trim());
  if (isRecord(value) && saysNoError(value)) return false;
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isError);
  return value === true || (typeof value === 'number' && value > 0);
}

/** Returns whether an object for errors says that there is none: `{ code: 200, message: 'Rebooting' }`. */
function saysNoError(record: ServiceRecord): boolean {
  const isNoCode = findValues(record, codeFields).some((code) => noErrorCode.test(String(code).trim()));
  const isUnset = findValues(record, errorFlagFields).some((flag) => parseFlag(flag) === false);
  const isMild = findValues(record, severityFields).some((word) => mildSeverity.test(String(word).trim()));
  return isNoCode || isUnset || isMild;
}
