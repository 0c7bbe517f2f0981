/**
 * Direct exchange: requests between two processes through a shared memory file, without a queue and without a JVM flag.
 * {@code docs/shared-memory.md} draws the file and describes the protocol.
 */
package io.millrace.ipc;
