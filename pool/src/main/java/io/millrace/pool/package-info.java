/**
 * Pooled events: acquired and released instead of allocated and collected.
 * <p>
 * All memory is allocated at construction. {@code acquire} and {@code release} do not allocate, block or log. The
 * package needs only the JDK and no JVM flag.
 */
package io.millrace.pool;
