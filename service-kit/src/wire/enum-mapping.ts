/** A pair of mappers between the words of the domain and the numbers of the wire. */
export interface EnumMapping<Word extends string, Code extends number> {
  readonly toWire: (word: Word) => Code;
  /** Null: unspecified, or a value of a newer release. */
  readonly fromWire: (code: Code) => Word | null;
}

/** Makes both mappers from one table. */
export function enumMapping<Word extends string, Code extends number>(
  codes: Readonly<Record<Word, Code>>,
): EnumMapping<Word, Code> {
  const words = new Map<Code, Word>(
    (Object.entries(codes) as [Word, Code][]).map(([word, code]) => [code, word]),
  );
  return { toWire: (word) => codes[word], fromWire: (code) => words.get(code) ?? null };
}
