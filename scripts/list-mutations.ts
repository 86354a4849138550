import { parseAst } from 'rolldown/parseAst';

/** A small change of a source file. */
export interface Mutation {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const swapped: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Types have no effect when the code runs. */
function isType({ type }: SyntaxNode): boolean {
  return type.startsWith('TS') && !/^TS(As|NonNull|Satisfies)/.test(type);
}

/** Lists the changes that a test should notice: conditions, comparisons, calls and returns. */
export function listMutations(source: string): Mutation[] {
  const mutations: Mutation[] = [];
  const textOf = ({ start, end }: SyntaxNode) => source.slice(start, end);
  const replace = (kind: string, { start, end }: SyntaxNode, replacement: string) =>
    void mutations.push({ kind, start, end, replacement });

  function mutateCondition({ type, test }: SyntaxNode): void {
    if ((type === 'IfStatement' || type === 'ConditionalExpression') && isNode(test))
      replace('negated condition', test, `!(${textOf(test)})`);
  }

  function mutateOperator(node: SyntaxNode): void {
    const { left, right, operator } = node;
    const other = typeof operator === 'string' ? swapped[operator] : undefined;
    if (other !== undefined && isNode(left) && isNode(right))
      replace('swapped operator', node, `(${textOf(left)}) ${other} (${textOf(right)})`);
  }

  function mutateStatement(node: SyntaxNode): void {
    const { type, expression, argument } = node;
    if (type === 'ExpressionStatement' && isNode(expression) && /^(Call|Await)/.test(expression.type))
      replace('dropped call', node, ';');
    // A returned boolean is negated instead.
    if (type === 'ReturnStatement' && isNode(argument) && !/^(undefined|true|false)$/.test(textOf(argument)))
      replace('early return', node, 'return undefined as never;');
    if (type === 'ThrowStatement') replace('dropped throw', node, ';');
  }

  function mutateValue(node: SyntaxNode): void {
    const { type, callee, value } = node;
    if (type === 'Literal' && typeof value === 'boolean') replace('negated value', node, `${!value}`);
    if (type !== 'CallExpression' || !isNode(callee)) return;
    // `query.where(…)` becomes `query`.
    if (isNode(callee.property) && isNode(callee.object) && textOf(callee.property) === 'where')
      replace('dropped where', node, textOf(callee.object));
  }

  function visit(node: SyntaxNode): void {
    for (const mutate of [mutateCondition, mutateOperator, mutateStatement, mutateValue]) mutate(node);
    for (const child of Object.values(node).flat()) if (isNode(child) && !isType(child)) visit(child);
  }

  for (const statement of parseAst(source, { lang: 'ts' }).body)
    if (isNode(statement) && !isType(statement)) visit(statement);
  return mutations;
}
