import { createContext, type ReactNode, useContext, useId, useState } from 'react';
import { isObject } from '../../../../json.ts';
import { parseNestedJson } from './nested-json.ts';

/** Nesting depth up to which the tree is initially open. */
const openDepth = 2;
/** A list that has more entries is initially collapsed. */
const openEntries = 12;

/** JSON pointers of the values to highlight. The values that contain them are opened. */
const HighlightContext = createContext<ReadonlySet<string>>(new Set());

interface Props {
  readonly label: string;
  readonly value: unknown;
  readonly highlights?: readonly string[];
}

/** Shows JSON as a tree that can be collapsed. Text that contains JSON is shown as a tree too. */
export function JsonTree({ label, value, highlights = [] }: Props): ReactNode {
  return (
    <HighlightContext value={new Set(highlights)}>
      <section className="json" aria-label={label}>
        <Node name={undefined} value={value} pointer="" depth={0} />
      </section>
    </HighlightContext>
  );
}

interface NodeProps {
  readonly name: string | undefined;
  readonly value: unknown;
  readonly pointer: string;
  readonly depth: number;
}

function Node({ name, value, pointer, depth }: NodeProps): ReactNode {
  const marks = useContext(HighlightContext);
  const inner = parseNestedJson(value);
  const isMarked = marks.has(pointer);
  const isBranch = Array.isArray(inner) || isObject(inner);
  if (isBranch) {
    return <Branch name={name} value={inner} pointer={pointer} depth={depth} isText={inner !== value} />;
  }
  return (
    <div className={isMarked ? 'json-leaf is-marked' : 'json-leaf'}>
      {name !== undefined && <span className="json-name">{name}: </span>}
      <span className={`json-${inner === null ? 'null' : typeof inner}`}>
        {JSON.stringify(inner) ?? 'nothing'}
      </span>
    </div>
  );
}

interface BranchProps extends NodeProps {
  readonly value: object;
  /** Whether the value was received as text. */
  readonly isText: boolean;
}

function Branch({ name, value, pointer, depth, isText }: BranchProps): ReactNode {
  const marks = useContext(HighlightContext);
  const entries = Object.entries(value);
  const holdsMark = [...marks].some((mark) => mark === pointer || mark.startsWith(`${pointer}/`));
  const [isOpen, setOpen] = useState(
    holdsMark || depth === 0 || (depth < openDepth && entries.length <= openEntries),
  );
  const id = useId();
  const count = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <div className={marks.has(pointer) ? 'json-branch is-marked' : 'json-branch'}>
      <button
        type="button"
        className="json-fold"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="json-name">{name ?? (Array.isArray(value) ? 'list' : 'object')}</span>{' '}
        <span className="json-count">
          {count}
          {isText && ' as text'}
        </span>
      </button>
      {isOpen && (
        <div id={id} className="json-inner">
          {entries.map(([key, entry]) => (
            <Node
              key={key}
              name={key}
              value={entry}
              pointer={`${pointer}/${escapePointer(key)}`}
              depth={depth + 1}
            />
          ))}
        </div>
      )}
    </div>
  );
}

/** Escapes a key for a JSON pointer (RFC 6901). */
function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
