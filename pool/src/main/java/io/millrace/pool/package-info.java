/**
 * Memory: events that are lent and given back instead of allocated.
 * <p>
 * Everything here is allocated once, at construction; lending and giving back allocate nothing, block nothing and log
 * nothing. This package needs nothing but the JDK and no JVM flag.
 */
package io.millrace.pool;
