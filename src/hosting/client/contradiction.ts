import { parseFlag } from '../profile/values/flags.ts';
import { findValues, isEmpty, isRecord, type ServiceRecord } from '../profile/values/records.ts';

const errorFields = ['error', 'errors'];
const messageFields = ['message', 'msg', 'reason', 'detail', 'details', ...errorFields];
const resultFields = ['result', 'outcome'];
const stateFields = ['status', 'state'];

const failureWord = /^(error|fail(ed|ure)?|refused|rejected|denied)$/i;
/** Matches how services write that there is no error. */
const noErrorWord = /^(|-|none|no|ok|okay|success(ful)?|false|null|n\/a|0)$/i;

/**
 * Returns the part of a reply that says that the call failed, although its envelope says `success:
 * true`. Returns undefined if no part does. A read fails only if it has nothing else to show: its
 * entries can have errors of their own.
 */
export function findContradiction(envelope: ServiceRecord, isChange: boolean): unknown {
  const { data, ...around } = envelope;
  if (hasError(around) && (isChange || isEmpty(data))) return around;
  if (!isRecord(data)) return undefined;
  const isDenied = findValues(data, ['success']).some((value) => parseFlag(value) === false);
  const hasFailed = findValues(data, resultFields).some(isFailureWord);
  const isFailed = isChange
    ? hasError(data) || hasFailed || isFailedState(data)
    : hasFailed && hasMessage(data);
  return isDenied || isFailed ? data : undefined;
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
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isError);
  return value === true || (typeof value === 'number' && value > 0);
}
