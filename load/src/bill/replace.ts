import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** Any function of the product. Only its stand-in knows its parameters. */
export type Callable = (...args: unknown[]) => unknown;

/** Whether a part is left out, and how often its stand-in was used since the last turn. */
export interface Switch {
  isOff: boolean;
  uses: number;
}

/** Makes the function that is called instead of a real one. It checks the switch at each call. */
export type Stand = (real: Callable, part: Switch) => Callable;

/** Makes the replacement of an export. Throws an `Error` when the original is not as expected. */
export type Replace = (original: Callable, part: Switch) => Callable;

/** Environment variable with the folder for files between the tool and the product's processes. */
export const BILL_DIR = 'PLACARD_BILL_DIR';

/** Ending of files with the reason why a process cannot be measured. */
export const FAULT_ENDING = '.fault';

/** Ends the start of a process whose part can no longer be left out, and writes the reason for the tool. */
export function refuse(fault: string): never {
  const dir = process.env[BILL_DIR];
  const text = `${fault}. Bring load/src/bill/parts up to date.`;
  if (dir !== undefined) writeFileSync(path.join(dir, `${process.pid}${FAULT_ENDING}`), text);
  throw new Error(text);
}

/** A function that returns the same resolved promise each time. */
export function resolved(value: unknown): Callable {
  const promise = Promise.resolve(value);
  return () => promise;
}

/** Replaces a function by another. */
export function by(substitute: Callable): Stand {
  return (real, part) =>
    function (this: unknown, ...args) {
      if (!part.isOff) return real.apply(this, args);
      part.uses += 1;
      return substitute(...args);
    };
}

/** Replaces a function by the first good answer of the real one, so that its caller continues with a valid answer. */
export function byFirst(isGood: (answer: unknown) => boolean = () => true): Stand {
  return (real, part) => {
    let first: { readonly answer: unknown } | null = null;
    const learn = (given: unknown, answer: unknown): void => {
      if (first === null && isGood(given)) first = { answer };
    };
    return function (this: unknown, ...args) {
      if (part.isOff && first !== null) {
        part.uses += 1;
        return first.answer;
      }
      const answer = real.apply(this, args);
      if (first !== null) return answer;
      if (answer instanceof Promise) {
        answer.then(
          (given: unknown) => learn(given, answer),
          () => undefined,
        );
      } else {
        learn(answer, answer);
      }
      return answer;
    };
  };
}

/** Replaces the function that a method returns. */
export function returned(stand: Stand): Stand {
  return (real, part) =>
    function (this: unknown, ...args) {
      return stand(functionOf(real.apply(this, args), 'what a method returns'), part);
    };
}

/** Replaces methods of the result of a factory, synchronous or not. */
export function made(stands: Readonly<Record<string, Stand>>): Replace {
  return (make, part) =>
    (...args) =>
      whenMade(make(...args), (thing) => replaceMethods(thing, stands, part));
}

/** Replaces the function that a factory makes, synchronous or not. */
export function madeFunction(stand: Stand): Replace {
  return (make, part) =>
    (...args) =>
      whenMade(make(...args), (thing) => stand(functionOf(thing, `what ${make.name} makes`), part));
}

/** Replaces each function of the `Map` that a factory makes. */
export function madeMap(stand: Stand): Replace {
  return (make, part) =>
    (...args) => {
      const map = make(...args);
      if (!(map instanceof Map)) return refuse(`what ${make.name} makes is no longer a Map`);
      for (const [key, value] of map) map.set(key, stand(functionOf(value, `a value of ${make.name}`), part));
      return map;
    };
}

/** Replaces methods of a class. */
export function methods(stands: Readonly<Record<string, Stand>>): Replace {
  return (original, part) => {
    replaceMethods(original.prototype, stands, part);
    return original;
  };
}

/** Replaces methods of an object in place, so that references to it stay valid. */
export function replaceMethods(
  thing: unknown,
  stands: Readonly<Record<string, Stand>>,
  part: Switch,
): unknown {
  if (typeof thing !== 'object' || thing === null)
    return refuse('the value that should have methods is not an object');
  const owner = thing as Record<string, unknown>;
  for (const [name, stand] of Object.entries(stands)) {
    owner[name] = stand(functionOf(owner[name], `the method ${name}`), part);
  }
  return thing;
}

/** A value that must be a function; `what` names it. */
export function functionOf(value: unknown, what: string): Callable {
  return typeof value === 'function' ? (value as Callable) : refuse(`${what} is no longer a function`);
}

function whenMade(thing: unknown, replace: (thing: unknown) => unknown): unknown {
  return thing instanceof Promise ? thing.then(replace) : replace(thing);
}
