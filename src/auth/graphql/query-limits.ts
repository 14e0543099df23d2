import {
  GraphQLError,
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/** Deepest nesting of fields in one operation; the deepest useful operation has three levels. Introspection is counted separately. */
const DEPTH_MAX = 6;
/** Most fields in one operation. The fields of a fragment count each time it is used. */
const FIELDS_MAX = 100;
/**
 * Most introspection fields in one operation, counted the same way. The longest introspection query of common tools has 230.
 * Without a limit, aliases could multiply them, and building the answer would block the event loop.
 */
const INTROSPECTION_FIELDS_MAX = 400;

/** Most lexical tokens in one document: several times as many as the tools' introspection query has. */
export const TOKENS_MAX = 2_000;

interface Size {
  readonly depth: number;
  readonly fields: number;
  readonly introspectionFields: number;
}

const NOTHING: Size = { depth: 0, fields: 0, introspectionFields: 0 };

/** Refuses an operation that is nested too deeply, selects too many fields or is not a query or mutation, before execution (choice A9). */
export const sizeLimit: ValidationRule = (context) => {
  const size = sizes(context);
  return {
    OperationDefinition(node) {
      const { depth, fields, introspectionFields } = size(node.selectionSet);
      const isKnown = Boolean(context.getSchema().getRootType(node.operation));
      const limits = [
        [isKnown ? 0 : 1, 0, `is a ${node.operation}, which the service does not have`],
        [depth, DEPTH_MAX, `is nested more than ${DEPTH_MAX} levels deep`],
        [fields, FIELDS_MAX, `selects more than ${FIELDS_MAX} fields`],
        [
          introspectionFields,
          INTROSPECTION_FIELDS_MAX,
          `selects more than ${INTROSPECTION_FIELDS_MAX} introspection fields`,
        ],
      ] as const;
      for (const [found, max, problem] of limits) {
        if (found > max)
          context.reportError(new GraphQLError(`The operation ${problem}.`, { nodes: [node] }));
      }
    },
  };
};

function sizes(context: ValidationContext): (set: SelectionSetNode) => Size {
  const fragments = new Map<string, Size>();
  const ofFragment = (name: string): Size => {
    const found = fragments.get(name);
    if (found) return found;
    // A fragment that contains itself counts as zero, because one of GraphQL's own rules refuses it.
    fragments.set(name, NOTHING);
    const fragment = context.getFragment(name);
    const size = fragment ? ofSet(fragment.selectionSet) : NOTHING;
    fragments.set(name, size);
    return size;
  };
  const ofSet = ({ selections }: SelectionSetNode): Size => {
    let depth = 0;
    let fields = 0;
    let introspectionFields = 0;
    for (const selection of selections) {
      let size: Size;
      if (selection.kind === Kind.FRAGMENT_SPREAD) size = ofFragment(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) size = ofSet(selection.selectionSet);
      else size = ofField(selection);
      depth = Math.max(depth, size.depth);
      fields += size.fields;
      introspectionFields += size.introspectionFields;
    }
    return { depth, fields, introspectionFields };
  };
  const ofField = ({ name, selectionSet }: FieldNode): Size => {
    const { depth, fields, introspectionFields } = selectionSet ? ofSet(selectionSet) : NOTHING;
    return name.value.startsWith('__')
      ? { depth: 0, fields: 0, introspectionFields: introspectionFields + fields + 1 }
      : { depth: depth + 1, fields: fields + 1, introspectionFields };
  };
  return ofSet;
}

/**
 * Refuses an operation that selects a field more than once, under any alias. One request is then one call, so the limits on
 * failed token calls and on an organisation's requests can count requests.
 *
 * @param field name of a field of the query or mutation type
 * Source: choice A9.
 */
export function oncePerOperation(field: string): ValidationRule {
  return (context) => ({
    OperationDefinition(node) {
      if (countAtRoot(context, node, field) > 1) {
        context.reportError(
          new GraphQLError(`${field} may be selected only once in an operation.`, { nodes: [node] }),
        );
      }
    },
  });
}

function countAtRoot(context: ValidationContext, operation: OperationDefinitionNode, field: string): number {
  const seen = new Set<FragmentDefinitionNode>();
  const count = ({ selections }: SelectionSetNode): number => {
    let found = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) found += selection.name.value === field ? 1 : 0;
      else if (selection.kind === Kind.INLINE_FRAGMENT) found += count(selection.selectionSet);
      else {
        const fragment = context.getFragment(selection.name.value);
        // A repeated fragment adds nothing, because GraphQL merges equal fields.
        if (!fragment || seen.has(fragment)) continue;
        seen.add(fragment);
        found += count(fragment.selectionSet);
      }
    }
    return found;
  };
  return count(operation.selectionSet);
}
