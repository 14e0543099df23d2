/**
 * The JSON text that begins a member, by its name. Only a limited number of names is kept, because most names are those
 * of a few fields.
 */
const BEGINNINGS = new Map<string, string>();
const BEGINNINGS_MAX = 1_000;

function beginningOf(name: string): string {
  const known = BEGINNINGS.get(name);
  if (known !== undefined) return known;
  const beginning = `${JSON.stringify(name)}:`;
  if (BEGINNINGS.size < BEGINNINGS_MAX) BEGINNINGS.set(name, beginning);
  return beginning;
}

/**
 * The fields of one row with the JSON text of each, in the order in which they were first set. One instance is reused for all rows:
 * a new map for each row would take most of the time of reading CSV.
 */
export class ItemFields {
  private readonly names: string[] = [];
  private readonly values: (string | undefined)[] = [];
  private count = 0;

  clear(): void {
    this.count = 0;
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** @param json undefined if the row does not have the field */
  set(name: string, json: string | undefined): void {
    const known = this.indexOf(name);
    const index = known === -1 ? this.count : known;
    this.names[index] = name;
    this.values[index] = json;
    if (known === -1) this.count += 1;
  }

  get(name: string): string | undefined {
    return this.values[this.indexOf(name)];
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** All fields with their JSON. */
  entries(): (readonly [name: string, json: string])[] {
    return this.names.slice(0, this.count).flatMap((name, index) => {
      const value = this.values[index];
      return value === undefined ? [] : [[name, value] as const];
    });
  }

  /** The JSON text of an object with all fields, or with all except one. */
  without(left?: string): string {
    const members: string[] = [];
    for (let index = 0; index < this.count; index += 1) {
      const [name = '', value] = [this.names[index], this.values[index]];
      if (value !== undefined && name !== left) {
        members.push(beginningOf(name) + value);
      }
    }
    return `{${members.join(',')}}`;
  }

  private indexOf(name: string): number {
    for (let index = 0; index < this.count; index += 1) if (this.names[index] === name) return index;
    return -1;
  }
}
