/**
 * Tables of the engine: rows found by their key, ordered keys, and the hash that is equal on every JVM. All are arrays
 * that their constructor allocates; no method allocates or throws on a full table, so callers check the capacity first.
 * <p>
 * Internal to the engine: the packages below {@code io.millrace.engine} may use these types, applications may not. They
 * are public only because Java has no visibility between packages, and may change in any release. One thread.
 */
package io.millrace.engine.tables;
