/** A map with a maximum size. When it is full, the entry that was set least recently is evicted. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  constructor(private readonly sizeMax: number) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size <= this.sizeMax) return this;
    for (const oldest of this.keys()) {
      this.delete(oldest);
      break;
    }
    return this;
  }
}
