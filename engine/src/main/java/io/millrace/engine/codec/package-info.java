/**
 * Commands and their answers as bytes: little-endian records of fixed size. A descriptor class draws each record;
 * a codec turns it into a pooled event and back. {@code docs/order-entry.md} is the page for who speaks to the engine
 * from outside.
 */
package io.millrace.engine.codec;
