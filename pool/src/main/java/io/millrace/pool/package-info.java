/**
 * Pooled events: acquired and released instead of allocated and collected.
 * <p>
 * All memory is allocated at construction. {@code acquire} and {@code release} do not allocate, block or log, except
 * that {@link io.millrace.pool.Exhaustion} of a pool without a free event may wait or create events. The package needs
 * only the JDK and no JVM flag.
 */
package io.millrace.pool;
