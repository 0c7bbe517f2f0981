// A guest in Go: checks each request's eight-byte numbers, answers with each plus one.
// usage: guest DIRECTORY NAME; prints the number of served and of wrong requests when the host has gone.
package main

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const (
	magic      = 0x3143504943524C4D
	version    = 1
	helloMagic = 0x4F4C4548
	header     = 256
	laneHeader = 256
	reqReady   = 1
	respReady  = 2
	done       = 3
	busy       = 4
	abandoned  = 5
	appStart   = 128
	heartbeat  = 1
)

type guest struct {
	file                          []byte
	self, host                    uint32
	lanes, slots, payload, nested uint32
	slotBytes, laneBytes          uint64
	next, generation              []uint32
	served, wrong, beats          uint64
	connection                    net.Conn
	gone                          atomic.Bool
}

// Go's atomic operations are sequentially consistent.
func (g *guest) at(offset uint64) *uint64  { return (*uint64)(unsafe.Pointer(&g.file[offset])) }
func (g *guest) load(offset uint64) uint64 { return atomic.LoadUint64(g.at(offset)) }

func word(owner, generation, state uint32) uint64 {
	return uint64(owner)<<32 | uint64(generation&0xFFFFFF)<<8 | uint64(state)
}
func generation(w uint64) uint32 { return uint32(w>>8) & 0xFFFFFF }

func (g *guest) slot(lane, index uint32) uint64 {
	return header + uint64(lane)*g.laneBytes + laneHeader + uint64(index)*g.slotBytes
}

func (g *guest) hash() uint64 {
	hash := uint64(0xCBF29CE484222325)
	for _, number := range []uint32{version, header, laneHeader, 128, 8, 16, 64, g.lanes, g.slots, g.payload, g.nested,
		uint32(g.slotBytes)} {
		for shift := 0; shift < 32; shift += 8 {
			hash = (hash ^ uint64(number>>shift&0xFF)) * 0x100000001B3
		}
	}
	return hash
}

func attach(directory, name string) (*guest, error) {
	g := &guest{}
	file, err := os.OpenFile(directory+"/"+name+".exchange", os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	status, err := file.Stat()
	if err != nil || status.Size() < header || status.Mode().Perm()&077 != 0 {
		return nil, fmt.Errorf("%v bytes, mode %v: %v", status.Size(), status.Mode(), err)
	}
	g.file, err = syscall.Mmap(int(file.Fd()), 0, int(status.Size()), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	if g.load(0) != magic || g.load(8) != version {
		return nil, fmt.Errorf("magic %x, version %d", g.load(0), g.load(8))
	}
	counts, sizes := g.load(24), g.load(32)
	g.lanes, g.slots, g.payload, g.nested = uint32(counts), uint32(counts>>32), uint32(sizes), uint32(sizes>>32)
	if g.lanes < 1 || g.lanes > 128 || g.slots < 1 || g.slots > 1024 || g.payload < 64 || g.payload > 1<<20 ||
		g.nested > 8 {
		return nil, fmt.Errorf("damaged header: %d %d %d %d", g.lanes, g.slots, g.payload, g.nested)
	}
	g.slotBytes = (64 + 2*uint64(g.payload) + 127) / 128 * 128
	g.laneBytes = laneHeader + g.slotBytes*uint64(g.slots+g.nested)
	if g.load(16) != g.hash() || header+g.laneBytes*uint64(g.lanes) > uint64(len(g.file)) {
		return nil, fmt.Errorf("layout hash %x, not %x", g.load(16), g.hash())
	}
	return g, g.connect(directory + "/" + name + ".socket")
}

func (g *guest) connect(path string) error {
	var hello [16]byte
	if _, err := rand.Read(hello[8:12]); err != nil {
		return err
	}
	hello[8] |= 1
	binary.LittleEndian.PutUint32(hello[0:], helloMagic)
	binary.LittleEndian.PutUint32(hello[4:], version)
	g.self = binary.LittleEndian.Uint32(hello[8:])
	connection, err := net.Dial("unix", path)
	if err != nil {
		return err
	}
	if _, err = connection.Write(hello[:]); err == nil {
		_, err = io.ReadFull(connection, hello[:])
	}
	g.host = binary.LittleEndian.Uint32(hello[8:])
	if err != nil || binary.LittleEndian.Uint32(hello[12:]) != 0 || g.host != uint32(g.load(64)) {
		return fmt.Errorf("refused: %v %x", err, hello)
	}
	g.connection = connection
	atomic.StoreUint64(g.at(128), uint64(g.self))
	atomic.StoreUint64(g.at(144), uint64(os.Getpid()))
	g.next, g.generation = make([]uint32, g.lanes), make([]uint32, g.lanes)
	for lane := range g.next {
		g.generation[lane] = generation(g.load(g.slot(uint32(lane), 0)))
		for i := uint32(1); i < g.slots; i++ {
			if here := generation(g.load(g.slot(uint32(lane), i))); here != g.generation[lane] {
				g.next[lane], g.generation[lane] = i, here
				break
			}
		}
	}
	return nil
}

// Serves the next request of a lane; false if there is none.
func (g *guest) serve(lane uint32) bool {
	index := g.next[lane]
	at := g.slot(lane, index)
	w := g.load(at)
	if w&0xFF != reqReady {
		if g.isBehind(lane, w) {
			g.advance(lane, g.generation[lane])
		}
		return false
	}
	g.advance(lane, generation(w))
	if uint32(w>>32) != g.host {
		g.gone.Store(true)
		return false
	}
	taken := word(g.self, generation(w), busy)
	if !atomic.CompareAndSwapUint64(g.at(at), w, taken) {
		return false
	}
	descriptor := g.load(at + 8)
	length, kind, status := uint32(descriptor), uint32(descriptor>>32), uint64(0)
	if length > g.payload {
		g.gone.Store(true)
		return false
	}
	if kind == heartbeat {
		length = 0
	} else if kind != appStart || length < 8 {
		g.wrong++
		status, length = 1, 0
	} else {
		g.answer(at+64, length)
	}
	if g.load(at) == taken {
		*g.at(at + 16) = status<<32 | uint64(length)
	}
	if !atomic.CompareAndSwapUint64(g.at(at), taken, word(g.self, generation(w), respReady)) {
		ended := word(g.self, generation(w), abandoned)
		finished := word(g.self, generation(w), done)
		if atomic.CompareAndSwapUint64(g.at(at), ended, finished) {
			atomic.CompareAndSwapUint64(g.at(at), finished, word(0, generation(w)+1, 0))
		}
	}
	waiting := header + uint64(lane)*g.laneBytes
	if g.load(waiting) != 0 && atomic.CompareAndSwapUint64(g.at(waiting), 1, 0) {
		g.connection.Write([]byte{byte(lane)})
	}
	return true
}

// Whether a slot was given back, or reclaimed, before we came to it.
func (g *guest) isBehind(lane uint32, w uint64) bool {
	ahead := (generation(w) - g.generation[lane]) & 0xFFFFFF
	return ahead != 0 && ahead < 0x800000
}

func (g *guest) advance(lane, current uint32) {
	g.next[lane] = (g.next[lane] + 1) & (g.slots - 1)
	if g.next[lane] == 0 {
		current++
	}
	g.generation[lane] = current & 0xFFFFFF
}

func (g *guest) answer(at uint64, length uint32) {
	g.served++
	request, response := g.file[at:at+uint64(length)], g.file[at+uint64(g.payload):]
	first := binary.LittleEndian.Uint64(request)
	for i := 0; i+8 <= len(request); i += 8 {
		value := binary.LittleEndian.Uint64(request[i:])
		if value != first+uint64(i) {
			g.wrong++
		}
		binary.LittleEndian.PutUint64(response[i:], value+1)
	}
}

func main() {
	g, err := attach(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	wake := make(chan bool, 1)
	go func() {
		bytes := make([]byte, 256)
		for {
			if _, err := g.connection.Read(bytes); err != nil {
				g.gone.Store(true)
			}
			select {
			case wake <- true:
			default:
			}
			if g.gone.Load() {
				return
			}
		}
	}()
	for idle := 0; !g.gone.Load(); {
		served := false
		for lane := uint32(0); lane < g.lanes; lane++ {
			served = g.serve(lane) || served
		}
		if idle++; served {
			idle = 0
		} else if idle > 20000 {
			idle = 0
			g.park(wake)
		}
	}
	fmt.Printf("served %d wrong %d\n", g.served, g.wrong)
	if g.wrong != 0 {
		os.Exit(1)
	}
}

// Parks until the host sends a byte: flags up, look again, wait.
func (g *guest) park(wake chan bool) {
	g.beats++
	atomic.StoreUint64(g.at(136), g.beats)
	ready := false
	for lane := uint32(0); lane < g.lanes; lane++ {
		atomic.StoreUint64(g.at(header+uint64(lane)*g.laneBytes+128), 1)
	}
	for lane := uint32(0); lane < g.lanes; lane++ {
		w := g.load(g.slot(lane, g.next[lane]))
		ready = ready || w&0xFF == reqReady || g.isBehind(lane, w)
	}
	if !ready {
		select {
		case <-wake:
		case <-time.After(10 * time.Millisecond):
		}
	}
	for lane := uint32(0); lane < g.lanes; lane++ {
		atomic.StoreUint64(g.at(header+uint64(lane)*g.laneBytes+128), 0)
	}
}
