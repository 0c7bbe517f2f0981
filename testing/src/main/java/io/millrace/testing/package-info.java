/**
 * Tools for tests of handlers, sources and services: a server that runs on the test's thread, with a clock that the
 * test sets, and checks of allocation. For the test scope. Only the extension and the fuzzer need JUnit 5.
 */
package io.millrace.testing;
